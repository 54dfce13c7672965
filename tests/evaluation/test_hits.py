import pytest
from langchain_core.documents import Document

from obsirag.evaluation import GoldSpan, is_hit


def chunk(**metadata: object) -> Document:
    return Document("text", metadata=metadata)


@pytest.mark.parametrize(
    ("first", "last", "hit"), [(1, 9, False), (1, 10, True), (11, 11, True), (12, 20, True), (13, 20, False)]
)
def test_one_common_line_of_the_same_note_is_a_hit(first: int, last: int, hit: bool) -> None:
    span = GoldSpan("a.md", 10, 12)
    assert is_hit(chunk(source="a.md", start_line=first, end_line=last), span) is hit
    assert not is_hit(chunk(source="b.md", start_line=first, end_line=last), span)


def test_embedded_text_counts_at_its_source_and_at_the_embed() -> None:
    host = chunk(source="host.md", start_line=5, end_line=5, source_spans=["host.md#L1-L3", "数据/sub note.md#L30-L34"])
    assert is_hit(host, GoldSpan("数据/sub note.md", 34, 40))
    assert not is_hit(host, GoldSpan("数据/sub note.md", 35, 40))
    assert is_hit(host, GoldSpan("host.md", 5, 5))
    assert is_hit(host, GoldSpan("host.md", 2, 2))


def test_spans_with_one_line_or_a_hash_in_the_path_are_read() -> None:
    assert is_hit(chunk(source_spans=["a#L1-L9.md#L7"]), GoldSpan("a#L1-L9.md", 7, 7))
    assert not is_hit(chunk(source_spans=["a#L1-L9.md#L7"]), GoldSpan("a#L1-L9.md", 8, 8))


def test_an_alternative_counts_as_the_span() -> None:
    span = GoldSpan("a.md", 1, 1, (GoldSpan("b.md", 4, 6),))
    assert is_hit(chunk(source="b.md", start_line=6, end_line=9), span)
    assert not is_hit(chunk(source="b.md", start_line=1, end_line=3), span)


@pytest.mark.parametrize("metadata", [{}, {"source": "a.md"}, {"source_spans": None}, {"source_spans": ["a.md"]}])
def test_a_chunk_without_lines_hits_nothing(metadata: dict[str, object]) -> None:
    assert not is_hit(chunk(**metadata), GoldSpan("a.md", 1, 1000))
