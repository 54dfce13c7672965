import pytest
from langchain_core.documents import Document

from obsirag.records.places import Place, Quote, locate_quote, places_from_json, places_to_json

TEXT = "# A\none\ntwo\n\nembedded\nmore\n\nlast line"
PLACES = [
    Place(0, "host.md", 3, ("A",)),
    Place(13, "other.md", 7, ("A", "B")),
    Place(28, "host.md", 8, ("A",)),
]


def chunk() -> Document:
    return Document(TEXT, metadata={"source": "host.md", "places": places_to_json(PLACES)})


def locate(part: str) -> Quote:
    start = TEXT.index(part)
    return locate_quote(chunk(), start, start + len(part))


def test_places_survive_json() -> None:
    assert places_from_json(places_to_json(PLACES)) == PLACES


def test_a_part_has_the_lines_of_its_own_file() -> None:
    assert locate("one") == Quote("host.md", 4, 4, ("A",))
    assert locate("one\ntwo") == Quote("host.md", 4, 5, ("A",))
    assert locate("embedded") == Quote("other.md", 7, 7, ("A", "B"))
    assert locate("more") == Quote("other.md", 8, 8, ("A", "B"))
    assert locate("last line") == Quote("host.md", 8, 8, ("A",))


def test_blanks_around_a_part_do_not_count() -> None:
    assert locate("\n\nembedded\n") == Quote("other.md", 7, 7, ("A", "B"))


def test_a_part_over_several_files_is_placed_where_it_begins() -> None:
    assert locate("two\n\nembedded") == Quote("host.md", 5, 6, ("A",))
    assert locate(TEXT) == Quote("host.md", 3, 8, ("A",))


def test_offsets_outside_are_brought_inside() -> None:
    assert locate_quote(chunk(), -5, 10_000) == Quote("host.md", 3, 8, ("A",))
    assert locate_quote(chunk(), len(TEXT), len(TEXT)).path == "host.md"


def test_without_places_the_whole_document_answers() -> None:
    document = Document("x y", metadata={"source": "a.md", "start_line": 4, "end_line": 9, "headings": ["H"]})
    assert locate_quote(document, 0, 1) == Quote("a.md", 4, 9, ("H",))
    assert locate_quote(Document("x"), 0, 1) == Quote("", 0, 0, ())


def test_carriage_returns_are_line_ends() -> None:
    places = places_to_json([Place(0, "a.md", 1, ())])
    document = Document("a\r\nb\rc", metadata={"places": places})
    assert locate_quote(document, 3, 4).start_line == 2
    assert locate_quote(document, 5, 6).start_line == 3


@pytest.mark.parametrize(
    "value",
    [
        *("Berlin", "", None, 7, ["Berlin"], "7", "{}", '["Berlin"]', "[[]]", "[" * 100_000),
        '[[0, "a.md", 1]]',
        '[["0", "a.md", 1, []]]',
        '[[0, "a.md", 1, "H"]]',
        '[[-1, "a.md", 1, []]]',
        '[[5, "a.md", 1, []], [0, "a.md", 1, []]]',
    ],
)
def test_a_field_places_that_is_not_ours_counts_as_none(value: object) -> None:
    assert places_from_json(value) == []
    document = Document("x y", metadata={"source": "a.md", "start_line": 4, "places": value})
    assert locate_quote(document, 0, 1) == Quote("a.md", 4, 4, ())


def test_fields_of_strangers_never_stop_a_citation() -> None:
    document = Document("x", metadata={"source": 3, "start_line": "soon", "end_line": [2], "headings": 7})
    assert locate_quote(document, 0, 1) == Quote("3", 0, 0, ("7",))
