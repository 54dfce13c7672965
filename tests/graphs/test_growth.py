"""The time that a text takes grows as the text does, whatever it is: questions and notes may be hostile."""

from time import process_time

import pytest

from graph_fakes import chunk
from obsirag.graphs.extractive import quote_passages
from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.language import language_of
from obsirag.graphs.link_filter import drop_unknown_links
from obsirag.graphs.passages import harmless
from obsirag.graphs.standalone import written_question
from obsirag.graphs.support import atoms_of
from obsirag.graphs.terms import content_terms
from obsirag.graphs.visible_text import visible_line

READERS = {
    "refers_back": refers_back,
    "language_of": language_of,
    "written_question": written_question,
    "atoms_of": atoms_of,
    "content_terms": content_terms,
    "harmless": harmless,
    "visible_line": visible_line,
    "drop_unknown_links": lambda text: drop_unknown_links(text, []),
    "quote_passages": lambda text: quote_passages(text, [chunk("A note.")], {}, vault="v"),
}
UNITS = ["a", "A", "a_", "字", "[", "[[a", "`", "“", " ", "\\n", "<", "it ", "> ", "a.", "https:"]
# Before a run, and behind it: what a pattern could wait for.
AROUND = [("", "-"), ("字 alpha beta ", "x"), ("<", "-"), ("呢", "x")]


def seconds(read, text):
    """Return the shortest time of two: other work on the machine only adds to it."""
    times = []
    for _ in range(2):
        start = process_time()
        read(text)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("unit", UNITS)
def test_a_run_of_anything_is_read_in_time(name, unit):
    for before, after in AROUND:
        few, many = (f"{before}{unit * (size // len(unit))}{after}" for size in (10_000, 80_000))
        # Eight times as much text; where each character looks at all others, it is sixty-four times as much work.
        assert seconds(READERS[name], many) < 24 * seconds(READERS[name], few) + 0.2
