"""A chat model that repeats all it reads, says it well or badly, and always the same to the same prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from fault_world import hostile
from graph_fakes import task_of
from law_worlds import TOPICS

__all__ = ["OWN_WORD", "Death", "ParrotChat"]

OWN_WORD = "Wolpertinger"
"""A word that nothing but this model's answers says."""

_STATEMENT = re.compile(r"The \w+ (?:timer|budget) of \w+ is \d+ \w+\.")
_MARKED = re.compile(r"The \w+ (?:timer|budget) of \w+ is \d+ \w+ \[\d+\]\.")
_QUESTION = re.compile(r"(?:Question|问题)[^:：\n]*[:：]\s*(.*)\Z", re.DOTALL)
_KINDS = ("knowledge", "knowledge", "knowledge", "high_risk", "chitchat", "off_topic", "unsafe", "about_answer")
_OF_NEW_QUESTIONS = _KINDS[:-1]


class Death(BaseException):
    """The end of a process, as far as a run can tell."""


class ParrotChat(BaseChatModel):
    """Does each task with every word of the notes that its prompt holds.

    Args:
        secrets: The words.
        seed: Chooses how each prompt is answered.
        manners: Ways of answering that are chosen from: ``well``, or those of ``_BADLY``.
        prompts: What it was asked.
        dies_at: How many prompts there are when the process dies; 0 for never.
    """

    secrets: Sequence[Any]
    seed: int
    manners: Sequence[str]
    prompts: list[str]
    dies_at: int = 0

    @property
    def _llm_type(self) -> str:
        return "parrot"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        prompt = "\n".join(str(message.content) for message in messages)
        self.prompts.append(prompt)
        if len(self.prompts) == self.dies_at:
            raise Death
        digest = int.from_bytes(blake2b(f"{self.seed}\n{prompt}".encode(), digest_size=4).digest())
        manner = self.manners[digest % len(self.manners)]
        said = [each.word for each in self.secrets if each.word in prompt]
        if manner == "raises":
            raise ConnectionError(f"cannot answer {prompt}")
        well = _TASKS[task_of(messages)](str(messages[-1].content), said, digest // 64)
        text = well if manner == "well" else _BADLY[manner](well, said)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])

    def with_structured_output(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


def _asked(prompt: str) -> str:
    found = _QUESTION.search(prompt)
    return " ".join((found[1] if found else prompt[-300:]).split())


def _topic(prompt: str) -> str:
    return next((topic for topic in TOPICS if topic in prompt), TOPICS[0])


def _answer(prompt: str, said: Sequence[str], digest: int) -> str:
    statements = dict.fromkeys(_STATEMENT.findall(prompt))
    marked = [f"{each.rstrip('.')} [{number}]." for number, each in enumerate(statements, 1)]
    return " ".join([*marked, *([f"{OWN_WORD} {' '.join(said)} [77]."] if digest % 3 == 0 else [])]) or "NOT_FOUND"


def _plan(prompt: str, said: Sequence[str], digest: int) -> str:
    pieces = [each.strip(" ,?？，") for each in re.split(r"\?|, and |？|，", _asked(prompt))]
    parts = [{"question": f"{each}?", "keywords": " ".join([*said, "timer"])} for each in pieces if each]
    return json.dumps({"parts": parts})


def _grade(prompt: str, said: Sequence[str], digest: int) -> str:
    scores = (0.05, 0.4, 0.6, 0.9)
    ids = range(1, prompt.count("<passage ") + 1)
    return json.dumps({"grades": [{"id": each, "score": scores[(digest + each) % len(scores)]} for each in ids]})


def _intent(prompt: str, said: Sequence[str], digest: int) -> str:
    kinds = _OF_NEW_QUESTIONS if "How long" in prompt else _KINDS
    return json.dumps({"kind": kinds[digest % len(kinds)], "confidence": 0.9})


_TASKS: dict[str, Callable[[str, Sequence[str], int], str]] = {
    "answer": _answer,
    "compose": lambda prompt, said, digest: " ".join(dict.fromkeys(_MARKED.findall(prompt))),
    "plan": _plan,
    "grade": _grade,
    "contextualise": lambda prompt, said, digest: (
        f"How long is the {_topic(prompt)} timer of {' '.join([*said, *([OWN_WORD] if OWN_WORD in prompt else [])])} "
        f"on hard, and is it longer there?"
    ),
    "rewrite": lambda prompt, said, digest: f"Seconds of the {_topic(prompt)} timer {' '.join(said)} {digest % 7}?",
    "intent": _intent,
    "converse": lambda prompt, said, digest: f"Hello. {OWN_WORD} {' '.join(said)}",
    "about_answer": lambda prompt, said, digest: f"{OWN_WORD} {' '.join(said)} [1]. More [2][9].",
    "terms": lambda prompt, said, digest: json.dumps({"terms": [*said]}),
    "summarise": lambda prompt, said, digest: f"They talked about {OWN_WORD} {' '.join(said)}.",
}
_BADLY: dict[str, Callable[[str, Sequence[str]], str]] = {
    "nothing": lambda well, said: "",
    "nonsense": lambda well, said: f"{{]<< {' '.join(said)} [1][2][99] ```",
    "hostile": lambda well, said: hostile(f"{well} {' '.join(said)} [1]. "),
    "half": lambda well, said: well[: len(well) // 2],
    "without end": lambda well, said: well * 300,
}
