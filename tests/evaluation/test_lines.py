import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag import ObsidianSplitter, Vault
from obsirag.evaluation import GoldSpan, Question, score_lines


def ask(*gold: GoldSpan, needs: Any = "any") -> Question:
    return Question(id="q", question="Why?", gold=gold, needs=needs)


def chunk(text: str, start: int, **metadata: Any) -> Document:
    place = {"source": "a.md", "start_line": start, "end_line": start + text.count("\n")}
    return Document(text, metadata=place | metadata)


def precision(gold: GoldSpan, *documents: Document) -> float:
    return score_lines(ask(gold), documents).precision


def test_characters_count_by_their_line_and_blanks_do_not() -> None:
    assert precision(GoldSpan("a.md", 11, 11), chunk("12 34\n\t1 \n567", 10)) == 1 / 8
    assert precision(GoldSpan("a.md", 10, 12), chunk("12 34\n\t1 \n567", 10)) == 1.0
    assert precision(GoldSpan("b.md", 10, 12), chunk("12 34\n\t1 \n567", 10)) == 0.0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_leads_to_the_next_line(end: str) -> None:
    assert precision(GoldSpan("a.md", 2, 2), chunk(f"12{end}3{end}4", 1, end_line=3)) == 1 / 4


def test_an_alternative_is_gold_too() -> None:
    span = GoldSpan("b.md", 1, 1, (GoldSpan("a.md", 2, 2),))
    assert precision(span, chunk("111\n2", 1)) == 1 / 4


def test_what_two_chunks_share_counts_once() -> None:
    first, second = chunk("aaaa\nbb", 1, start_index=0), chunk("bb\ncc", 2, start_index=5)
    assert precision(GoldSpan("a.md", 2, 2), first, second) == 2 / 8
    # Without offsets only whole chunks can be told to be the same.
    assert precision(GoldSpan("a.md", 2, 2), chunk("aaaa\nbb", 1), chunk("bb\ncc", 2)) == 4 / 10
    assert precision(GoldSpan("a.md", 2, 2), chunk("aaaa\nbb", 1), chunk("aaaa\nbb", 1)) == 2 / 6
    # The same offsets of another note are other characters.
    other = chunk("bb\ncc", 2, start_index=5, source="b.md")
    assert precision(GoldSpan("a.md", 2, 2), first, other) == 2 / 10


def test_contexts_do_not_count() -> None:
    contexts = {"context_before": "| h |\n", "context_after": "\n```"}
    rows = chunk("| h |\n| 1 |\n| 22 |\n```", 7, start_index=40, end_line=8, **contexts)
    assert precision(GoldSpan("a.md", 7, 7), rows) == 3 / 7
    assert precision(GoldSpan("a.md", 8, 8), rows) == 4 / 7
    # Its own text begins at the offset, whatever stands before it.
    assert precision(GoldSpan("a.md", 8, 8), rows, chunk("| 1 |\n| 22 |", 7, start_index=40)) == 4 / 7
    # A field of that name that isn't the text's beginning is a note's own.
    assert precision(GoldSpan("a.md", 7, 7), chunk("1\n2", 7, context_before="none")) == 1 / 2


def test_embedded_text_lies_where_it_came_from() -> None:
    places = json.dumps([[0, "host.md", 3, []], [2, "part.md", 30, []]])
    host = Document("ho30\n312", metadata={"source": "host.md", "start_line": 3, "end_line": 3, "places": places})
    assert precision(GoldSpan("host.md", 3, 3), host) == 2 / 7
    assert precision(GoldSpan("part.md", 30, 30), host) == 2 / 7
    assert precision(GoldSpan("part.md", 31, 31), host) == 3 / 7
    spans = ["host.md#L3-L3", "part.md#L30-L31"]
    stated = Document(
        "host\n30\n31", metadata={"source": "host.md", "start_line": 3, "end_line": 4, "source_spans": spans}
    )
    assert precision(GoldSpan("part.md", 31, 31), stated) == 2 / 8


def test_without_text_or_places_nothing_is_precise() -> None:
    assert score_lines(ask(GoldSpan("a.md", 1, 1)), []) == (0.0, 0.0)
    assert score_lines(ask(GoldSpan("a.md", 1, 1)), [Document("text"), Document(" ")]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("gold", "needs", "recall"),
    [
        ([GoldSpan("a.md", 1, 4)], "any", 2 / 4),
        ([GoldSpan("a.md", 1, 4), GoldSpan("b.md", 9, 9)], "any", 1 / 2),
        ([GoldSpan("a.md", 1, 4), GoldSpan("b.md", 9, 9)], "all", 1 / 4),
        ([GoldSpan("b.md", 1, 1, (GoldSpan("a.md", 3, 4),))], "all", 1.0),
        ([GoldSpan("a.md", 3, 3), GoldSpan("a.md", 5, 8)], "all", 3 / 4),
    ],
)
def test_recall_is_the_share_of_lines_held(gold: list[GoldSpan], needs: str, recall: float) -> None:
    documents = [chunk("x\ny\nz", 3), chunk("z\n0", 5), chunk("q", 9, source="c.md")]
    assert score_lines(ask(*gold, needs=needs), documents).recall == recall


TEXTS = st.text(alphabet="ab \n", min_size=1, max_size=40)
CUTS = st.lists(st.tuples(st.integers(0, 39), st.integers(1, 20)), max_size=6)


@given(TEXTS, CUTS, st.integers(1, 12), st.integers(0, 5))
def test_precision_is_that_of_the_set_of_positions(
    text: str, cuts: Sequence[tuple[int, int]], line: int, more: int
) -> None:
    documents, held = [], set()
    for start, length in cuts:
        part = text[start : start + length]
        documents.append(chunk(part, text.count("\n", 0, start) + 1, start_index=start))
        held |= {start + offset for offset, character in enumerate(part) if not character.isspace()}
    gold = {offset for offset in held if line <= text.count("\n", 0, offset) + 1 <= line + more}
    scores = score_lines(ask(GoldSpan("a.md", line, line + more)), documents)
    assert scores.precision == (len(gold) / len(held) if held else 0.0)
    assert 0 <= scores.recall <= 1


def test_the_splitters_own_chunks_of_all_gold_are_all_precise(sample_vault) -> None:
    vault, splitter = Vault(sample_vault), ObsidianSplitter(chunk_size=200)
    for path in vault.paths():
        rendered = vault.render(path)
        chunks = splitter.split_note(rendered)
        sources = {path, *(segment.path for segment in rendered.segments)}
        gold = [GoldSpan(source, 1, 10_000) for source in sorted(sources)]
        if chunks:
            assert score_lines(ask(*gold, needs="all"), chunks).precision == 1.0


@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=4),
    st.tuples(st.integers(1, 12), st.integers(0, 11)),
)
def test_recall_counts_each_line_of_the_span_once(places: list[tuple[int, int]], span: tuple[int, int]) -> None:
    gold = GoldSpan(path="a.md", start_line=span[0], end_line=span[0] + span[1])
    documents = [
        Document(page_content="x", metadata={"source": "a.md", "start_line": start, "end_line": end})
        for start, end in places
    ]
    lines = range(gold.start_line, gold.end_line + 1)
    held = sum(any(start <= line <= end for start, end in places) for line in lines)
    question = Question(id="1", question="?", gold=(gold,))
    assert score_lines(question, documents).recall == pytest.approx(held / len(lines))


def test_a_span_of_very_many_lines_is_measured() -> None:
    question = Question(id="1", question="?", gold=(GoldSpan(path="a.md", start_line=1, end_line=10**12),))
    chunk = Document(page_content="x", metadata={"source": "a.md", "start_line": 1, "end_line": 5 * 10**11})
    assert score_lines(question, [chunk]).recall == pytest.approx(0.5)
