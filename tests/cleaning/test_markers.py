import pytest

from obsirag.cleaning import clean
from obsirag.config import CleaningOptions
from obsirag.errors import ConfigError
from obsirag.records import RenderedNote
from obsirag.vault import Vault

STRIP = {"text": "<!-- strip -->"}
NOTHING_ELSE = {name: False for name, field in CleaningOptions.model_fields.items() if field.annotation is bool}


def cleaned(text, *markers):
    return clean(RenderedNote("n.md", text), CleaningOptions(**NOTHING_ELSE, markers=markers)).text


@pytest.mark.parametrize(
    ("markers", "text", "result"),
    [
        (["^## .*<strip>"], "a\n## T <strip>\nb\n## U\n", "a\nb\n## U\n"),
        (["x$", "^y"], "ax\r\nya\r\nz\rx", "z\r"),
        ([], "a", "a"),
        ([".*"], "a\n\nb", ""),
        ([{"regex": "b+"}], "abb\nc", "c"),
    ],
)
def test_marked_lines_go_with_their_line_ends(markers, text, result):
    assert cleaned(text, *markers) == result


@pytest.mark.parametrize(
    "marker", ["<!-- strip -->", "[strip]", "(x)", "**", "a|b", "\\d", "$", "^", "?", "剥离", "`x`"]
)
def test_a_marker_of_plain_text_needs_no_escaping(marker):
    assert cleaned(f"a\nb {marker} c\nd\n", {"text": marker}) == "a\nd\n"
    assert cleaned("a\nbc\nd 1\n", {"text": marker}) == "a\nbc\nd 1\n"


@pytest.mark.parametrize(
    "line", ["## T %", "- T %", "  - T %", "> T %", "> - T %", "| T % | b |", "1. T %", "- [ ] T %", "%", "T % `code`"]
)
def test_the_line_goes_whole_whatever_it_is(line):
    line = line.replace("%", "<!-- strip -->")
    assert cleaned(f"before\n\n{line}\n\nafter\n", STRIP) == "before\n\n\nafter\n"


@pytest.mark.parametrize(
    "code",
    [
        "```\n%\n```",
        "~~~\n%",
        "    %",
        "> ```\n> %\n> ```",
        "- ```\n  %\n  ```",
        "Write `%` there.",
        "$$\n%\n$$",
        "$%$",
    ],
)
def test_a_marker_within_code_marks_nothing(code):
    text = f"before\n\n{code.replace('%', '<!-- strip -->')}"
    assert cleaned(text, STRIP) == text


def test_a_marker_beside_code_that_speaks_of_it_counts():
    assert cleaned("a\nWrite `<!-- strip -->` <!-- strip -->\nb", STRIP) == "a\nb"


def test_a_line_whose_code_goes_on_beyond_it_stays():
    text = "a `code <!-- strip -->\nmore` b"
    assert cleaned(text, STRIP) == text
    text = "T <!-- strip --> `code\nmore` b"
    assert cleaned(text, STRIP) == text


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a\n\nTitle %\n=====\n\nb", "a\n\n\nb"),
        ("a\n\nTitle %\n---\nb", "a\n\nb"),
        ("# A\nTitle %\n===\nb", "# A\nb"),
        ("One %\nTwo %\n===\nb", "b"),
        ("One\nTwo %\n===\nb", "One\n===\nb"),
        ("One %\nTwo\n===\nb", "Two\n===\nb"),
        ("> Title %\n> ===\n> b", "> b"),
        ("| a % | b |\n| --- | --- |\n| 1 | 2 |", "| 1 | 2 |"),
        ("| a | b |\n| --- | --- |\n| 1 % | 2 |\n| 3 | 4 |", "| a | b |\n| --- | --- |\n| 3 | 4 |"),
        ("- a %\n---\nb", "---\nb"),
    ],
)
def test_an_underline_goes_with_what_it_underlines(text, result):
    assert cleaned(text.replace("%", "<!-- strip -->"), STRIP) == result


@pytest.mark.parametrize("line", ["## H %", "- item %", "1. item %"])
@pytest.mark.parametrize("rule", ["---", "==="])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_no_paragraph_becomes_a_heading_by_what_went(line, rule, end):
    text = end.join(["para", line.replace("%", "<!-- strip -->"), rule, "after"])
    assert cleaned(text, STRIP) == end.join(["para", "", rule, "after"])


def test_a_marked_heading_of_an_embed_goes_too(tmp_path):
    (tmp_path / "host.md").write_text(
        "# Host\n\n![[part#Setup <!-- strip -->]]\n\n> ![[part#Setup <!-- strip -->]]\n\nEnd.\n", encoding="utf-8"
    )
    (tmp_path / "part.md").write_text("x\n\n## Setup <!-- strip -->\n\nThe steps.\n", encoding="utf-8")
    rendered = Vault(tmp_path).render("host.md")
    assert rendered.text.count("## Setup") == 2
    result = clean(rendered, CleaningOptions(markers=[STRIP]))
    assert "Setup" not in result.text
    assert result.text.count("The steps.") == 2
    assert result.locate(result.text.index("The steps.")) == ("part.md", 5)
    assert result.locate(result.text.index("End.")) == ("host.md", 7)
    assert [embed.path for embed in result.embeds] == ["part.md", "part.md"]


@pytest.mark.parametrize(
    "marker",
    ["(", "", {"text": ""}, {"text": " "}, {"text": "a\nb"}, {"text": "a", "regex": "a"}, {}, {"regex": "("}, 3, None],
)
def test_a_marker_that_is_none_is_told(marker):
    with pytest.raises(ConfigError, match=r"`?markers\.1"):
        CleaningOptions(markers=["x", marker])
