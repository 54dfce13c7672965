import json

from hypothesis import given
from hypothesis import strategies as st

from obsirag.cli.printing import plain, print_json, print_line, show_place


@given(st.text())
def test_nothing_in_a_note_steers_the_terminal(text):
    shown = plain(text)
    assert len(shown) == len(text)
    assert all(each.isprintable() or each in "\n\t" for each in shown)


def test_marks_and_long_lines_are_printed_as_they_are(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    line = "[red]obsidian://open?vault=notes&file=a%20b[/red] :smile: " + "x" * 60
    print_line(line)
    assert capsys.readouterr().out == line + "\n"


def test_json_stays_json(capsys):
    print_json({"text": "中文 [b] \x1b[31m", "path": "a"})
    assert json.loads(capsys.readouterr().out) == {"text": "中文 [b] \x1b[31m", "path": "a"}


def test_a_place_is_named_and_located():
    assert show_place("Bread", ["Bread", "Dough"], "a.md", 3, 9) == "Bread > Dough  (a.md:3-9)"
    assert show_place("Bread", [], "a.md", 3, 3) == "Bread  (a.md:3)"
    assert show_place("A page", [], "https://example.org", 0, 0) == "A page  (https://example.org)"
