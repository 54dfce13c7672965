"""Notes that are judged by a reranker's scores."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from langchain_core.documents import BaseDocumentCompressor, Document
from pydantic import Field

from graph_fakes import FakeSearch, ManyTasksChat, chunk, task_of
from obsirag.components import NodeVersion
from obsirag.config import GradingOptions, TracingOptions
from obsirag.errors import ConfigError
from obsirag.graphs import RunRecorder
from obsirag.graphs.bounds import bounds_of_parts
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.tracing import open_tracing
from obsirag.graphs.versions import by_reranker
from obsirag.plugins.no_reranker import NoReranker
from obsirag.retrievers import ScoringReranker

TIMER = chunk("The respawn timer is 8 seconds.", source="Timer.md")
BUDGET = chunk("The texture budget is 600 MB.", source="Budget.md")
PIER = chunk("The pier is blue.", source="Pier.md")
QUESTION = "How long is the respawn timer?"


class Scores(ScoringReranker):
    """Gives each text the score of the first word of it that is known; keeps what it was asked."""

    of: dict[str, Any]
    asked: list[tuple[str, tuple[str, ...]]] = Field(default_factory=list)

    def score(self, query: str, texts: Any) -> list[float]:
        self.asked.append((query, tuple(texts)))
        return [next((score for word, score in self.of.items() if word in text), 0.0) for text in texts]


def parts_of(reranker: Any, *, model: Any = None, hits: Any = (TIMER, BUDGET, PIER), **options: Any) -> RagParts:
    version = NodeVersion("by-reranker", partial(by_reranker.nodes()["grade"], options.pop("options", {})))
    search = FakeSearch([*hits])
    return RagParts(
        vector_search=search,
        keyword_search=None,
        reranker=reranker,
        chat_model=model,
        grades=True,
        versions={"grade": version},
        **options,
    )


def run(parts: RagParts, question: str = QUESTION, *, is_async: bool = False) -> tuple[dict[str, Any], list[Any]]:
    """Return the output, and the verdicts."""
    recorder = RunRecorder()
    parts = replace(parts, tracing=open_tracing(TracingOptions(), [recorder]))
    graph = wire_rag_graph(parts).compile()
    given: Any = {"messages": [("user", question)]}
    limit: Any = {"recursion_limit": bounds_of_parts(parts).recursion_limit}
    result = asyncio.run(graph.ainvoke(given, limit)) if is_async else graph.invoke(given, limit)
    return result, [each["verdict"] for each in recorder.record()["rounds"]]


def chat(**scripts: Any) -> ManyTasksChat:
    answers = {"answer": ["The respawn timer is 8 seconds [1]."], "rewrite": ["How many seconds until a respawn?"]}
    return ManyTasksChat(answers=[], prompts=[], scripts={**answers, **scripts})


@pytest.mark.parametrize("is_async", [False, True])
def test_scores_are_the_relevance_and_the_chat_model_is_not_asked_for_it(is_async):
    model = chat()
    reranker = Scores(of={"timer": 0.9, "budget": 0.4, "pier": 0.1})
    result, verdicts = run(parts_of(reranker, model=model), is_async=is_async)
    assert [each["score"] for each in verdicts] == [0.9]
    assert [task_of(each) for each in model.prompts] == ["answer"]
    assert "blue" not in str(model.prompts)  # worthless beside the others
    assert "600 MB" in str(model.prompts)
    assert result["degraded"] == []


def test_too_low_scores_lead_to_another_search_and_the_question_as_it_was_is_judged():
    model = chat()
    reranker = Scores(of={"timer": 0.55, "budget": 0.0})
    _, verdicts = run(parts_of(reranker, model=model))
    assert [each["diagnosis"] for each in verdicts] == ["not_covered", "not_covered"]
    assert [task_of(each) for each in model.prompts] == ["rewrite", "answer"]
    judged = [query for query, _ in reranker.asked if query == QUESTION]
    assert len(judged) >= 2


def test_the_best_of_a_notes_passages_counts():
    hits = [chunk("The pier is blue.", source="Timer.md", line=9), TIMER]
    _, verdicts = run(parts_of(Scores(of={"timer": 0.8, "pier": 0.1}), hits=hits))
    assert [each["score"] for each in verdicts] == [0.8]


def test_a_notes_own_field_is_no_score():
    class Order(BaseDocumentCompressor):
        def compress_documents(self, documents, query, callbacks=None):
            return documents

    hits = [replace_metadata(TIMER, rerank_score=0.99), replace_metadata(BUDGET, rerank_score=0.99)]
    with pytest.raises(ConfigError, match=r"nodes: grade \(by-reranker\) failed: the reranker gives an order, but no"):
        run(parts_of(Order(), hits=hits))


def replace_metadata(document: Document, **fields: Any) -> Document:
    return document.model_copy(update={"metadata": {**document.metadata, **fields}})


def test_each_aspect_is_judged_with_its_own_passages():
    parts = ["How long is the respawn timer of the arena?", "What is the texture budget of the arena?"]
    plan = json.dumps({"parts": [{"question": part} for part in parts]})

    class Search(FakeSearch):
        def search(self, query, **_):
            return [TIMER if "timer" in query else BUDGET]

    model = chat(plan=[plan], answer=["It is that [1]."])
    reranker = Scores(of={"timer": 0.9, "budget": 0.8})
    built = replace(parts_of(reranker, model=model), vector_search=Search(), plans=True)
    run(built, "How long is the respawn timer of the arena, and what is the texture budget of the arena?")
    assert (parts[0], (TIMER.page_content,)) in reranker.asked
    assert (parts[1], (BUDGET.page_content,)) in reranker.asked


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("score", [ConnectionError("gone"), float("nan"), "high"])
def test_where_the_reranker_fails_words_judge(score, is_async):
    class Failing(ScoringReranker):
        def score(self, query, texts):
            if isinstance(score, Exception):
                raise score
            return [score for _ in texts]

    result, verdicts = run(parts_of(Failing()), is_async=is_async)
    assert result["degraded"] == ["reranker"]
    assert result["status"] == "answered"
    assert verdicts[0]["score"] > 0.7


def test_nothing_found_is_nothing_judged():
    reranker = Scores(of={})
    result, _ = run(parts_of(reranker, hits=[]))
    assert (result["status"], result["degraded"], reranker.asked) == ("not_found", [], [])


@pytest.mark.parametrize(
    ("options", "expected"), [({}, None), ({"scale": "logit"}, 1 / (1 + 2.718281828459045**-2)), ("labels", 0.5)]
)
def test_scores_of_any_range_can_be_read(tmp_path, options, expected):
    if options == "labels":
        pairs = [[2 + side * step, side > 0] for step in (0.5, 1, 1.5, 2, 3) for side in (-1, 1)]
        (tmp_path / "labels.json").write_text(json.dumps(pairs))
        options = {"calibration": str(tmp_path / "labels.json")}
    parts = parts_of(Scores(of={"timer": 2.0, "budget": -3.0, "pier": -9.0}), options=options)
    if expected is None:
        with pytest.raises(ConfigError, match="the reranker gave the score 2, not 0 to 1: set `scale: logit`"):
            run(parts)
    else:
        assert run(parts)[1][0]["score"] == pytest.approx(expected)


@pytest.mark.parametrize("reranker", [None, NoReranker()])
def test_without_a_reranker_there_is_nothing_to_judge_by(reranker):
    with pytest.raises(ConfigError, match=r"nodes\.grade \(by-reranker\): there is no reranker to judge by: set"):
        wire_rag_graph(parts_of(reranker))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"scales": "logit"}, "unknown key `scales`; did you mean `scale`"),
        ({"scale": "logits"}, "did you mean `logit`"),
        ({"calibration": "none.json"}, r"none\.json cannot be read"),
    ],
)
def test_wrong_options_are_told_with_the_node(options, told):
    with pytest.raises(ConfigError, match=rf"^nodes\.grade \(by-reranker\): .*{told}"):
        wire_rag_graph(parts_of(Scores(of={}), options=options))


def test_no_call_of_the_chat_model_is_counted_for_it():
    parts = parts_of(Scores(of={}), model=chat(), grading=GradingOptions(max_rewrites=2))
    plain = bounds_of_parts(replace(parts, versions={}))
    own = bounds_of_parts(parts)
    assert own.steps == plain.steps
    assert plain.chat_model_calls - own.chat_model_calls == 3 * 2 * 3  # rounds, batches, attempts
