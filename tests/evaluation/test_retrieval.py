from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from obsirag.evaluation import GoldSpan, Question, Turn, evaluate_retrieval, load_questions, score_documents


def chunk(source: str, line: int, length: int = 100) -> Document:
    return Document("x" * length, metadata={"source": source, "start_line": line, "end_line": line + 9})


def ask(*gold: GoldSpan, needs: Any = "any", **fields: Any) -> Question:
    return Question(id=fields.pop("id", "q"), question="Why?", gold=gold, needs=needs, **fields)


class Recorded(BaseRetriever):
    """Answers from a table and remembers what it was asked."""

    answers: dict[str, list[Document]]
    asked: list[tuple[str, tuple[str, ...] | None]] = Field(default_factory=list)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, labels: Sequence[str] | None = None
    ) -> list[Document]:
        self.asked.append((query, None if labels is None else tuple(labels)))
        return self.answers.get(query, [])


class Plain(BaseRetriever):
    """A retriever that knows no labels."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [chunk("a.md", 1)]


A, B = GoldSpan("a.md", 25, 26), GoldSpan("b.md", 1, 1)
# Two chunks of a note in a row, as a fusion by note returns them; the third of a.md comes late.
LISTED = [chunk("a.md", 1), chunk("a.md", 11), chunk("b.md", 1, 1000), chunk("c.md", 1), chunk("a.md", 21, 50)]


@pytest.mark.parametrize(
    ("question", "chunk_rank", "note_rank", "characters"),
    [
        (ask(B), 3, 2, 1200),
        (ask(A), 5, 1, 1350),  # a person who opens the first note sees it
        (ask(A, B), 3, 1, 1200),  # any: the least of each
        (ask(A, B, needs="all"), 5, 2, 1350),  # all: the last of each
        (ask(B, GoldSpan("d.md", 1, 1), needs="all"), None, None, None),
        (ask(B, GoldSpan("d.md", 1, 1, (GoldSpan("c.md", 2, 2),)), needs="all"), 4, 3, 1300),
        (ask(GoldSpan("d.md", 1, 1)), None, None, None),
        (ask(), None, None, None),
    ],
)
def test_ranks_are_those_of_the_chunk_that_meets_the_need(
    question: Question, chunk_rank: int | None, note_rank: int | None, characters: int | None
) -> None:
    result = score_documents(question, LISTED)
    assert (result.chunk_rank, result.note_rank, result.characters) == (chunk_rank, note_rank, characters)
    assert (result.returned, result.has_gold) == (5, bool(question.gold))


def test_a_note_shows_its_first_chunks_only() -> None:
    assert score_documents(ask(A), LISTED, chunks_per_note=2).note_rank is None
    assert score_documents(ask(A), LISTED, chunks_per_note=2).chunk_rank == 5


def test_chunks_without_a_source_are_notes_of_their_own() -> None:
    unnamed = Document("x", metadata={"source_spans": ["a.md#L20-L30"]})
    assert score_documents(ask(A), [Document("x"), Document("y"), unnamed]).note_rank == 3


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 60)), max_size=12), st.sampled_from(["any", "all"]))
def test_need_met_means_the_prefix_up_to_the_rank_and_no_shorter_one(places: list[tuple[str, int]], needs: str) -> None:
    documents = [chunk(f"{name}.md", line) for name, line in places]
    question = ask(A, B, GoldSpan("c.md", 7, 9), needs=needs)
    rank = score_documents(question, documents).chunk_rank

    def met(length: int) -> bool:
        return score_documents(question, documents[:length]).chunk_rank is not None

    assert [length for length in range(len(documents) + 1) if met(length)] == (
        [] if rank is None else list(range(rank, len(documents) + 1))
    )


def test_every_question_is_asked_with_its_labels_and_the_turn_before_it() -> None:
    retriever = Recorded(answers={"Why?": LISTED})
    report = evaluate_retrieval(
        retriever,
        [
            ask(B, id="plain"),
            ask(B, id="labelled", labels=("leads",)),
            ask(B, id="later", history=(Turn("human", "Before?"), Turn("ai", "Yes."))),
        ],
    )
    assert retriever.asked == [("Why?", None), ("Why?", ("leads",)), ("Before?\nWhy?", None)]
    assert [result.chunk_rank for result in report.results] == [3, 3, None]


def test_a_retriever_that_knows_no_labels_serves_questions_without_them() -> None:
    assert evaluate_retrieval(Plain(), [ask(GoldSpan("a.md", 1, 1))]).overall.figures["mrr"] == 1.0


@pytest.mark.parametrize(("needs", "ranks"), [("any", (3,)), ("all", (5, 3, None))])
def test_any_of_several_spans_is_one_need_and_all_are_one_each(needs: str, ranks: tuple[int | None, ...]) -> None:
    gold = (A, B, GoldSpan("d.md", 1, 1))
    assert score_documents(ask(*gold, needs=needs), LISTED).ranks == ranks
    assert score_documents(ask(), LISTED).ranks == ()


def test_lines_and_notes_are_those_of_the_first_chunks() -> None:
    five, two = (score_documents(ask(A), LISTED, top=top) for top in (5, 2))
    assert (five.distinct_notes, two.distinct_notes) == (3, 1)
    assert (five.line_recall, two.line_recall) == (1.0, 0.0)
    assert (five.line_precision, two.line_precision) == (0.0, 0.0)  # the chunk's text is all on its first line
    assert score_documents(ask(GoldSpan("a.md", 1, 1)), LISTED, top=2).line_precision == 1.0
    without = score_documents(ask(), LISTED)
    assert (without.distinct_notes, without.line_recall, without.line_precision) == (None, None, None)


def test_a_search_that_failed_in_part_is_marked() -> None:
    marked = Document("x", metadata={"degraded": ["embeddings"]})
    assert score_documents(ask(), [*LISTED, marked]).degraded
    assert not score_documents(ask(), LISTED).degraded


def test_every_question_is_timed_and_told() -> None:
    told: list[tuple[int, int, str]] = []
    questions = [ask(B, id="one", kind="k", lang="zh"), ask(id="two")]
    report = evaluate_retrieval(Plain(), questions, progress=lambda *each: told.append(each), top=3)
    assert told == [(1, 2, "one"), (2, 2, "two")]
    assert all(result.seconds is not None and result.seconds >= 0 for result in report.results)
    assert (report.results[0].kind, report.results[0].lang, report.top) == ("k", "zh", 3)


@pytest.mark.parametrize("options", [{"k": ()}, {"k": (0, 1)}, {"top": 0}])
def test_ranks_below_1_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        evaluate_retrieval(Plain(), [], **options)


def test_leaks_are_found_by_the_vaults_own_word() -> None:
    retriever = Recorded(answers={"Why?": LISTED})
    questions = [ask(id="without", kind="restricted"), ask(B, id="with", kind="restricted", labels=("leads",))]
    report = evaluate_retrieval(retriever, questions, permissions={"b.md": (("leads",),)})
    assert [result.leaked for result in report.results] == [True, False]
    assert report.overall.leaked == 1


def test_a_set_of_the_sample_vault_is_evaluated_end_to_end(test_data: Path, sample_vault: Path) -> None:
    questions = load_questions(test_data / "questions" / "ue-notes.jsonl")
    whole_notes = [
        Document(text, metadata={"source": path, "start_line": 1, "end_line": text.count("\n") + 1})
        for path, text in sorted(
            (file.relative_to(sample_vault).as_posix(), file.read_text("utf-8-sig"))
            for pattern in ("*.md", "*.canvas")
            for file in sample_vault.rglob(pattern)
        )
    ]

    class Everything(BaseRetriever):
        def _get_relevant_documents(
            self, query: str, *, run_manager: CallbackManagerForRetrieverRun, labels: Sequence[str] = ()
        ) -> list[Document]:
            return whole_notes

    report = evaluate_retrieval(
        Everything(), questions, k=(1, 1000), permissions={"内部/里程碑与人员安排.md": (("leads",),)}
    )
    assert report.overall.figures["recall@1000"] == 1.0
    assert report.overall.leaked == sum("leads" not in question.labels for question in questions)


@pytest.mark.parametrize(
    "metadata",
    [{"source": ["a.md"]}, {"source": "a.md", "start_line": None, "end_line": 2}, {"permissions": [["a"], None, 5]}],
)
def test_chunks_may_state_anything(metadata: dict[str, Any]) -> None:
    question = Question(id="1", question="?", gold=(GoldSpan(path="a.md", start_line=1, end_line=2),))
    result = score_documents(question, [Document(page_content="x", metadata=metadata)])
    assert (result.ranks, result.note_rank) == ((None,), None)


def test_each_result_is_told_with_its_chunks_before_the_next_question_is_asked() -> None:
    told: list[Any] = []
    questions = [ask(GoldSpan("a.md", 1, 1), id="one"), ask(GoldSpan("b.md", 1, 1), id="two")]
    report = evaluate_retrieval(
        Plain(),
        questions,
        progress=lambda done, total, name: told.append(done),
        on_result=lambda question, result, documents: told.append((question.id, result, list(documents))),
    )
    one, two = report.results
    assert told == [("one", one, [chunk("a.md", 1)]), 1, ("two", two, [chunk("a.md", 1)]), 2]
