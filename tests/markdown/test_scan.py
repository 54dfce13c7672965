from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.markdown import (
    Block,
    comment_spans,
    find_block_ids,
    find_links,
    inline_spans,
    literal_spans,
    nested_blocks,
    scan,
)
from obsirag.markdown.containers import DEEPEST
from step_counts import steps_of

KINDS = {
    "heading",
    "paragraph",
    "fence",
    "indented_code",
    "item",
    "table",
    "quote",
    "callout",
    "math",
    "html",
    "comment",
    "footnote",
    "rule",
}


def shown(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in scan(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\ntext\n", [("heading", "# A"), ("paragraph", "text")]),
        ("#tag\n####### x", [("paragraph", "#tag\n####### x")]),
        ("Set\next\n===\ntext", [("heading", "Set\next\n==="), ("paragraph", "text")]),
        ("a\n---\n\n---\nb", [("heading", "a\n---"), ("rule", "---"), ("paragraph", "b")]),
        ("$$\nx\n===\n# n\n$$\nz", [("math", "$$\nx\n===\n# n\n$$"), ("paragraph", "z")]),
        ("$$ a $$\n", [("math", "$$ a $$")]),
        ("text $$ a\nb", [("paragraph", "text $$ a\nb")]),
        ("$$ never closed\n# H", [("paragraph", "$$ never closed"), ("heading", "# H")]),
        ("~~~\n```\n# c\n~~~\n# H", [("fence", "~~~\n```\n# c\n~~~"), ("heading", "# H")]),
        ("````\n```\n````\nx", [("fence", "````\n```\n````"), ("paragraph", "x")]),
        ("```\nunclosed\n\n# x", [("fence", "```\nunclosed\n\n# x")]),
        (
            "para\n\n    code\n\n    more\nend",
            [("paragraph", "para"), ("indented_code", "    code\n\n    more"), ("paragraph", "end")],
        ),
        ("para\n    no code", [("paragraph", "para\n    no code")]),
        ("- a\n  - b\n\n  c\n- d", [("item", "- a\n  - b\n\n  c"), ("item", "- d")]),
        ("- a\nlazy\n\nnot", [("item", "- a\nlazy"), ("paragraph", "not")]),
        ("- ```\n  # x\n  ```\nnot lazy", [("item", "- ```\n  # x\n  ```"), ("paragraph", "not lazy")]),
        ("- ```\n  # x\n\nout", [("item", "- ```\n  # x"), ("paragraph", "out")]),
        ("1. a\n2) b", [("item", "1. a"), ("item", "2) b")]),
        ("text\n2. no list\n- list", [("paragraph", "text\n2. no list"), ("item", "- list")]),
        ("a | b\n--|--\nx\\|y | z\n\nend", [("table", "a | b\n--|--\nx\\|y | z"), ("paragraph", "end")]),
        (
            "lead\n| a | b |\n|---|---|\n| c | d |",
            [("paragraph", "lead"), ("table", "| a | b |\n|---|---|\n| c | d |")],
        ),
        ("| no | table |\ntext", [("paragraph", "| no | table |\ntext")]),
        ("> a\nlazy\n> b\n\nc", [("quote", "> a\nlazy\n> b"), ("paragraph", "c")]),
        ("> [!Note]- Title\n> > deep\n> x", [("callout", "> [!Note]- Title\n> > deep\n> x")]),
        ("> ```\n> # c\nout", [("quote", "> ```\n> # c"), ("paragraph", "out")]),
        ("<div>\n# x\n</div>\n\n# H", [("html", "<div>\n# x\n</div>"), ("heading", "# H")]),
        ("<!-- a\n\n# b -->\nx", [("html", "<!-- a\n\n# b -->"), ("paragraph", "x")]),
        ("a\n%%\n# hidden\n\n%%\nb", [("paragraph", "a"), ("comment", "%%\n# hidden\n\n%%"), ("paragraph", "b")]),
        ("a %% b\n# hidden\n%% c", [("paragraph", "a %% b\n# hidden\n%% c")]),
        ("%% one %% shown", [("paragraph", "%% one %% shown")]),
        ("%% never closed\n# H", [("paragraph", "%% never closed"), ("heading", "# H")]),
        ("`50%%`\n# H\n`%%`", [("paragraph", "`50%%`"), ("heading", "# H"), ("paragraph", "`%%`")]),
        ("[^1]: a\n[^2]: b\n\n    more", [("footnote", "[^1]: a"), ("footnote", "[^2]: b\n\n    more")]),
        ("[a]: b\ntext\n===", [("paragraph", "[a]: b"), ("heading", "text\n===")]),
        ("[a]: <b c> 'd'\ntext\n===", [("paragraph", "[a]: <b c> 'd'"), ("heading", "text\n===")]),
        ("[a]: b\n===\nx", [("paragraph", "[a]: b\n===\nx")]),
        ("[a]: b\n    text\n===", [("paragraph", "[a]: b"), ("heading", "text\n===")]),
        ("[a]: b\n[^1]: c d\n===", [("paragraph", "[a]: b"), ("heading", "[^1]: c d\n===")]),
        ("a %%\n- %%\u00a0\n\tcode", [("paragraph", "a %%\n- %%"), ("indented_code", "\tcode")]),
        ("<!-->\n# H", [("html", "<!-->"), ("heading", "# H")]),
        ("<!---> x\n# H\n\n-->", [("html", "<!---> x"), ("heading", "# H"), ("paragraph", "-->")]),
        ("<?>\n# H", [("html", "<?>"), ("heading", "# H")]),
        ("> <!-->\n> # H", [("quote", "> <!-->\n> # H")]),
        ("* * *\n_ _ _", [("rule", "* * *"), ("rule", "_ _ _")]),
        ("- a\n<br>\n# H", [("item", "- a\n<br>"), ("heading", "# H")]),
        ("> a\n<br>\n# H", [("quote", "> a\n<br>"), ("heading", "# H")]),
        ("- a\n\n<br>\n# H", [("item", "- a"), ("html", "<br>\n# H")]),
        ("- a\n<div>\n# H", [("item", "- a"), ("html", "<div>\n# H")]),
        ("\u3000indented\n\n\u00a0\n\n    \x1c\n\nend\u2028", [("paragraph", "indented"), ("paragraph", "end")]),
        ("", []),
        (" \n\t\n", []),
        ("\u00a0\n\u0085\n\n\u3000\n", []),
    ],
)
def test_blocks_of(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected
    for end in ("\r\n", "\r"):
        assert shown(text.replace("\n", end)) == [(kind, part.replace("\n", end)) for kind, part in expected]


def test_what_blocks_tell() -> None:
    text = "### Head ##\n\n~~~ c++ x\n~~~\n\n> [!WARNING]+ t\n\n7. seven\n\n[^n]: note\n\nTwo\nlines\n---\n"
    assert [(block.level, block.info) for block in scan(text)] == [
        (3, "Head"),
        (0, "c++"),
        (0, "warning"),
        (0, "7."),
        (0, "n"),
        (2, "Two\nlines"),
    ]


def test_a_part_is_read_as_if_it_stood_alone() -> None:
    text = "```\n# A\n\n# B\n```\n"
    start = text.index("# A")
    end = text.index("\n```\n")
    assert scan(text, start, end) == [
        Block("heading", start, start + 3, 1, "A"),
        Block("heading", end - 3, end, 1, "B"),
    ]


pieces = st.sampled_from(
    [
        "- a",
        "  b",
        "\n",
        "> q",
        "text",
        "1. x",
        "  - n",
        "\t- t",
        "# h",
        "```",
        "    code",
        "---",
        "===",
        "2) y",
        "%%",
        "* * *",
        "  ```",
        "$$",
        "<div>",
        "</div>",
        "[^1]: f",
        "| a |",
        "|---|",
        "> ```",
        "  > q",
        " \tz",
        "-\tq",
        "[[",
        "`",
        "<br>",
        "\u00a0",
        "\u3000z",
        "> \u2028",
        "- \x1c",
        "    \u0085",
    ]
)


@given(st.lists(pieces, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_blocks_are_in_order_and_leave_only_blanks_between(lines: list[str], end: str) -> None:
    text = end.join(lines)
    position = 0
    for block in scan(text):
        assert block.kind in KINDS
        assert not text[position : block.start].strip()
        assert position <= block.start < block.end
        assert not text[block.end - 1].isspace()
        assert block.kind == "indented_code" or not text[block.start].isspace()
        assert text[block.start : block.end].strip()
        assert all(text[each.start : each.end].strip() for each in nested_blocks(text, block))
        position = block.end
    assert not text[position:].strip()


HOSTILE = [
    "[[",
    "> ",
    ">",
    "`",
    "`` ",
    "%%",
    "%% a\n",
    "$",
    "$a ",
    "<",
    "<!-- ",
    "- ",
    "- a\n",
    "**a ",
    "[a](b ",
    "~~~\n",
    "|",
    "a|b\n-|-\n",
    "a\n---\n",
    "[^1]: a\n",
    "> ```\na\n",
    "- %%\n\nx\n%%\n",
    "  x %%\n\nfoo\n%%\n",
    "- a\n\t",
]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("after", ["", "x  ", "x\n" + "\n" * 40])
def test_work_grows_with_the_length_only(unit: str, after: str) -> None:
    def steps(count: int) -> int:
        text = unit * count + after * count
        readers = (scan, literal_spans, comment_spans, find_links, find_block_ids, inline_spans)
        return steps_of(lambda: [read(text) for read in readers])

    assert steps(600) <= 4.5 * steps(150) + 500


@pytest.mark.parametrize("mark", ["- ", "> ", "1. ", "[^a]: ", "> - 1. "])
def test_marks_that_are_nested_too_deep_are_text(mark: str) -> None:
    text = mark * 5000 + "a"
    (block,) = scan(text)
    nested = nested_blocks(text, block)
    assert max(each.level for each in nested) == DEEPEST
    assert nested[-1].kind == "paragraph"
    assert nested[-1].end == block.end == len(text)


def test_deeply_nested_lists_are_read() -> None:
    text = "".join("  " * depth + "- a\n" for depth in range(300))
    assert [block.kind for block in scan(text)] == ["item"]
    assert [block.kind for block in scan("> " * 5000 + "a")] == ["quote"]
