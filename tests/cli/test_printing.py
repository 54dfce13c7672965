import io
import json
import sys
import unicodedata
from contextlib import redirect_stdout

from hypothesis import given
from hypothesis import strategies as st

from obsirag.cli.printing import one_line, plain, print_exactly, print_json, print_line, show_place


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


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_json_steers_no_terminal_and_says_the_same(text):
    with redirect_stdout(io.StringIO()) as shown:
        print_json({"text": text})
    assert json.loads(shown.getvalue()) == {"text": text}
    assert not [each for each in shown.getvalue() if unicodedata.category(each) == "Cc" and each != "\n"]
    assert not set(shown.getvalue()) & set("\u202e\u2066\u200f\u2028")


@given(st.text())
def test_a_line_stays_one_line(text):
    assert len(one_line(text)) == len(text)
    assert all(each.isprintable() for each in one_line(text))


def test_numbers_that_json_does_not_know_are_null(capsys):
    print_json({"a": [float("nan"), 1.5, {"b": float("-inf")}], "c": (float("inf"), 2)})
    assert json.loads(capsys.readouterr().out) == {"a": [None, 1.5, {"b": None}], "c": [None, 2]}


def test_a_place_is_named_and_located():
    assert show_place("Bread", ["Bread", "Dough"], "a.md", 3, 9) == "Bread > Dough  (a.md:3-9)"
    assert show_place("Bread", [], "a.md", 3, 3) == "Bread  (a.md:3)"
    assert show_place("A page", [], "https://example.org", 0, 0) == "A page  (https://example.org)"


def test_an_output_that_was_closed_at_the_start_is_no_fault(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdout", None)
    print_json({"a": 1})
    print_exactly("text")
    print_line("text")
    assert capfd.readouterr() == ("", "")
