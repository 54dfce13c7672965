"""What a real chat model makes of the question graph: its answers, by preset, and what became of each step.

    python benchmarks/chat_model.py --base-url http://127.0.0.1:8080/v1 --model NAME      the sample vault
    python benchmarks/chat_model.py … --vault DIR --questions FILE --trace trace.jsonl    others

Any server that speaks OpenAI's protocol will do. Questions are asked in a fixed random order, so that the first ones
are a sample: `--first 10`, or Ctrl+C. The first table is that of `evaluate_answers`. The second counts, for each step
that asks the model or checks what it wrote, how often its answer could be used at once, only after asking again, or not
at all, so that a rule took its place. `--trace` keeps each question's answer and steps, as JSON lines, to be read.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.constants import TAG_NOSTREAM

from obsirag import RagConfig, Vault, build_rag_graph, index_vault
from obsirag.config import Part
from obsirag.evaluation import AnswerReport, Question, evaluate_answers, load_question_sets

ROOT = Path(__file__).parents[1]
_ORIGINS = {"model": "written", "none": "NOT_FOUND", "quoted": "no answer: quoted"}
PRESETS = ("naive", "corrective", "aspects", "enterprise")


class Steps(BaseCallbackHandler):
    """Keeps what became of a run's steps."""

    def __init__(self) -> None:
        self.outcomes: list[tuple[str, str]] = []
        self.calls: Counter[str] = Counter()
        self._running: dict[UUID, str] = {}
        self._asked: Counter[str] = Counter()

    def on_chain_start(self, *_: Any, run_id: UUID, metadata: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Note that a node begins; what runs inside of it has other names."""
        node = (metadata or {}).get("langgraph_node")
        if node and more.get("name") == node:
            self._running[run_id] = node

    def on_chat_model_start(
        self, *_: Any, tags: Sequence[str] | None = None, metadata: Mapping[str, Any] | None = None, **__: Any
    ) -> None:
        """Count a call; what speaks to the reader isn't the chat model."""
        if TAG_NOSTREAM in (tags or ()):
            self._asked[(metadata or {}).get("langgraph_node", "")] += 1

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:
        """Note what a node came to."""
        node = self._running.pop(run_id, "")
        asked = self._asked.pop(node, 0)
        self.calls[node] += asked
        if isinstance(outputs, Mapping) and (outcome := outcome_of(node, outputs, asked)):
            self.outcomes.append((node, outcome))


def outcome_of(node: str, update: Mapping[str, Any], asked: int) -> str:
    """Return in words what a node's update says of the chat model's answer; empty if nothing."""
    draft = update.get("draft") or {}
    match node:
        case "contextualise" if asked:
            return "reworded" if "standalone" in update else "wording of no use: stands as asked"
        case "grade" if asked:
            if "grading" in update.get("degraded", ()):
                return "no grades: judged by words"
            verdict = update["verdicts"][-1]
            return f"graded {'at once' if asked <= 1 else f'in {asked} calls'}: {verdict['diagnosis']}"
        case "intent":
            return f"{update['intent']['kind']} by {update['intent']['by']}" if "intent" in update else ""
        case "plan":
            return f"{len(update['aspects'])} aspects" if update.get("aspects") else "left whole"
        case "answer_aspect":
            [draft] = update["aspect_drafts"].values()
            return _ORIGINS[draft["origin"]]
        case "request_review":
            return "waits for a person"
        case "rewrite":
            return "new words" if "queries" in update else "no new words"
        case "answer":
            return _ORIGINS[draft["origin"]]
        case "verify_citations":
            if update.get("complaint"):
                return f"sent back: {update['complaint']}"
            return {"model": "passed", "quoted": "not backed: quoted instead"}.get(draft.get("origin", ""), "")
    return ""


def main() -> None:
    arguments = parse_arguments()
    questions = [*load_question_sets([arguments.questions])]
    Random(0).shuffle(questions)
    questions = questions[: arguments.first]
    reports: dict[str, AnswerReport] = {}
    steps: dict[str, Counter[tuple[str, str]]] = {}
    calls: dict[str, Counter[str]] = {}
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, suppress(KeyboardInterrupt):
        for preset, report, seen in run(arguments, Path(folder), questions):
            reports[preset] = reports[preset] + report if preset in reports else report
            steps.setdefault(preset, Counter()).update(seen.outcomes)
            calls.setdefault(preset, Counter()).update(seen.calls)
            if arguments.trace:
                trace(arguments.trace, preset, report, seen)
    for preset, report in reports.items():
        print(f"\n## {preset}\n\n{report.to_markdown()}")
        print(step_table(steps[preset], calls[preset]))


def run(
    arguments: argparse.Namespace, folder: Path, questions: Sequence[Question]
) -> Iterator[tuple[str, AnswerReport, Steps]]:
    """Ask each question with each preset in turn; yield the preset, what came of the question, and its steps."""
    options = {"base_url": arguments.base_url, "model": arguments.model, "temperature": 0.0, "read_timeout": 300.0}
    chat_model = Part(name="openai", **options, max_tokens=arguments.max_tokens)
    config = RagConfig(vault=arguments.vault, index=folder, embeddings=Part(name="local"), chat_model=chat_model)
    index_vault(config)
    vault = Vault(arguments.vault)
    # Where a question has to wait for a person, its run ends there.
    graphs = {
        preset: build_rag_graph(config.model_copy(update={"preset": preset})).compile(checkpointer=InMemorySaver())
        for preset in arguments.presets
    }
    for question in questions:
        for preset, graph in graphs.items():
            steps = Steps()
            yield preset, evaluate_answers(graph.with_config(callbacks=[steps]), [question], vault=vault), steps


def trace(file: Path, preset: str, report: AnswerReport, steps: Steps) -> None:
    """Add a question to the trace."""
    [result] = report.as_dict()["results"]
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"preset": preset, **result, "steps": steps.outcomes}, ensure_ascii=False) + "\n")


def step_table(outcomes: Mapping[tuple[str, str], int], calls: Mapping[str, int]) -> str:
    """Return how often each step came to what."""
    rows = [f"| {node} | {outcome} | {count} |" for (node, outcome), count in sorted(outcomes.items())]
    asked = ", ".join(f"{node} {count}" for node, count in calls.items() if count)
    return "\n".join(["| step | outcome | times |", "|---|---|---|", *rows, "", f"Calls of the chat model: {asked}"])


def parse_arguments() -> argparse.Namespace:
    data = Path(os.environ.get("OBSIRAG_TEST_DATA") or ".")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", required=True, help="the server's address, usually ending in /v1")
    parser.add_argument("--model", default="default", help="the model's name on that server")
    parser.add_argument("--vault", type=Path, default=ROOT / "examples" / "ue-notes")
    parser.add_argument("--questions", type=Path, default=data / "questions" / "ue-notes.jsonl")
    parser.add_argument("--presets", nargs="+", choices=PRESETS, default=PRESETS)
    parser.add_argument("--first", type=int, help="how many questions are asked; all if not given")
    parser.add_argument("--max-tokens", type=int, default=400, help="how long an answer may be")
    parser.add_argument("--trace", type=Path, help="keep each question's answer and steps here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
