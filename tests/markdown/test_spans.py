from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.markdown import (
    comment_spans,
    find_block_ids,
    find_links,
    find_references,
    find_tags,
    hidden_spans,
    inline_spans,
    literal_spans,
    scan,
)
from obsirag.markdown.leaves import LITERAL, leaves
from obsirag.markdown.lexer import lex_leaf
from obsirag.markdown.merging import merge_spans


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("a `b` c ``d ` e``", ["`b`", "``d ` e``"]),
        ("a ` b\n\nc ` d", []),
        (r"\`a` b`", ["` b`"]),
        ("$x_1$ costs $5 and $6", ["$x_1$"]),
        ("$[[i]]$ and $$a\nb$$", ["$[[i]]$", "$$a\nb$$"]),
        ("- a\n  ```\n  # `x`\n  ```\n- `y`", ["```\n  # `x`\n  ```", "`y`"]),
        ("> ~~~\n> a\n> ~~~\n> `b`", ["~~~\n> a\n> ~~~", "`b`"]),
        ("text\n\n    code `x`\n", ["    code `x`"]),
        ("- a\n\n      code\n", ["code"]),
        ("| `a` | $b$ |\n|---|---|", ["`a`", "$b$"]),
        ("%% `a` %% `b`", ["`b`"]),
    ],
)
def test_literal_text(text: str, literal: list[str]) -> None:
    assert [text[start:end] for start, end in literal_spans(text)] == literal


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("a %% b %% c", ["%% b %%"]),
        ("%%\nb\n\n# c\n%%\nd", ["%%\nb\n\n# c\n%%"]),
        ("`100%% sure` and %%x%%", ["%%x%%"]),
        ("```\n50%%\n```\n%%x%%", ["%%x%%"]),
        ("a %% b\n\nnever closed", []),
        ("- a %% b\n  c %% d\n- e", ["%% b\n  c %%"]),
        ("> %% a %%\n\n%% b %%", ["%% a %%", "%% b %%"]),
        ("$50%%$ %%a%%", ["%%a%%"]),
        ("a %% `b %% c` d", ["%% `b %%"]),
        ("%%\na\n%% b %% c\n# d\n%%", ["%%\na\n%%", "%% c\n# d\n%%"]),
        ("a %% b\n\nc %% d %% e\n\n# f %%", ["%% b\n\nc %%", "%% e\n\n# f %%"]),
        ("costs $5 %% b\n\nc 3$ %% d", ["%% b\n\nc 3$ %%"]),
        ("> a %%\n\nb %% c %% d %%", ["%%\n\nb %%", "%% d %%"]),
    ],
)
def test_comments(text: str, comments: list[str]) -> None:
    assert [text[start:end] for start, end in comment_spans(text)] == comments


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a [b](c d.md) [b c](d) [[e f|g]] ![[h]]", ["[b c](d)", "[[e f|g]]", "![[h]]"]),
        ("**a b** ==c d== ~~e~~ __f g__ *h*", ["**a b**", "==c d==", "~~e~~", "__f g__"]),
        ("**a [b](c) d** e", ["**a [b](c) d**"]),
        ("see https://a.example/x?y=1。好", ["https://a.example/x?y=1"]),
        ("[^1] `a b` $c d$ <b x=1>", ["[^1]", "`a b`", "$c d$", "<b x=1>"]),
        ("** a ** and 2 * 3", []),
        ("[a\nb](c)", ["[a\nb](c)"]),
        ("[a [x] b](c) [![i](j.png)](k)", ["[a [x] b](c)", "[![i](j.png)](k)"]),
        ("[^[^[^a] b", ["[^a]"]),
        ('[a]: <b c>\n[d e]: f.md "g h"  \n[i]: j k', ["[a]: <b c>", '[d e]: f.md "g h"']),
    ],
)
def test_inline_structures(text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in inline_spans(text)] == spans
    shifted = "xx\n" + text
    assert inline_spans(shifted, 3) == [(start + 3, end + 3) for start, end in inline_spans(text)]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("**a [b](c) long** `d`", ["[b](c)", "`d`"]),
        ("==a `b` **c [[d]] long** e== [[f]]", ["`b`", "[[d]]", "[[f]]"]),
        ("https://a.example/long `b`", ["`b`"]),
        ("**a [[b** c]]", []),
    ],
)
def test_of_a_structure_that_does_not_matter_what_is_inside_stands_for_itself(text: str, spans: list[str]) -> None:
    found = inline_spans(text, matters=lambda start, end: end - start <= 8)
    assert [text[start:end] for start, end in found] == spans


def leaf_by_leaf(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The literal text and the HTML, each leaf read alone; for text without comments."""
    literal, html = [], []
    for block in scan(text):
        for leaf in leaves(text, block):
            if leaf.kind in LITERAL:
                literal.append((leaf.start, leaf.end))
            elif leaf.kind == "html":
                html.append((leaf.start, leaf.end))
            else:
                found = lex_leaf(text, leaf.start, leaf.end, None)
                literal += found.literals
                html += found.html
    return literal, html


WORDS = [
    "a",
    "`b`",
    "``",
    "`",
    "$c$",
    "$",
    "```",
    "~~~",
    "$$",
    "[[d]]",
    "#e",
    "# f",
    "\\`",
    "|",
    "---",
    "<br>",
    "<div>",
    "<b>",
    "<!--",
    "-->",
    "<!-- i -->",
    "`g\th`",
]
LINES = st.builds(
    lambda marks, words: "".join(marks) + " ".join(words),
    st.lists(st.sampled_from(["- ", "> ", "1. ", "  ", "    ", "\t", ">", "-     ", "[^1]: "]), max_size=3),
    st.lists(st.sampled_from(WORDS), max_size=3),
)


COMMENTED = st.builds(
    lambda line, mark, after: line + mark + after,
    LINES,
    st.sampled_from(["", "%%", " %% ", "%%%", "%% x %%"]),
    st.sampled_from(["", "", " ", "\t", "\x0c", "\xa0", "b", "`", "$", " ^id"]),
)


@given(st.lists(COMMENTED, max_size=10))
def test_a_comment_lies_within_one_block_and_hides_all_in_it(lines: list[str]) -> None:
    text = "\n".join(lines)
    comments, literal = comment_spans(text), literal_spans(text)
    blocks = scan(text)
    for start, end in comments:
        assert any(block.start <= start and end <= block.end for block in blocks)
        assert not any(begin < end and start < after for begin, after in literal)
        assert not any(start <= each.marker_start < end for each in find_block_ids(text))
    assert all(block.end == block.start + len(text[block.start : block.end].rstrip()) for block in blocks)


@given(st.lists(LINES, max_size=10))
def test_literal_text_is_that_of_the_leaves(lines: list[str]) -> None:
    text = "\n".join(lines)
    literal, html = leaf_by_leaf(text)
    assert literal_spans(text) == literal
    assert hidden_spans(text, None, range(len(text))) == merge_spans(literal + html)


@given(st.lists(LINES | COMMENTED, max_size=10), st.data())
def test_what_hides_a_place_is_found_without_reading_all(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    places = sorted(data.draw(st.sets(st.integers(0, max(0, len(text) - 1)), max_size=4)))
    hidden, everything = hidden_spans(text, None, places), hidden_spans(text, None, range(len(text)))
    for place in places:
        assert any(start <= place < end for start, end in hidden) == any(
            start <= place < end for start, end in everything
        )
    assert merge_spans(everything + literal_spans(text) + comment_spans(text)) == everything


@pytest.mark.parametrize(
    "text",
    [
        "<!-- ![[a]] #b [c](d) %% e -->",
        "<div>\n![[a]] #b\n</div>",
        "x <!-- [[a]]\n#b --> y",
        "- <!-- [[a]] -->",
        "> <div>\n> [[a]] %% b %%\n> </div>",
        "| <!-- [[a]] --> |\n|---|",
    ],
)
def test_in_html_nothing_is_markdown(text: str) -> None:
    assert find_references(text) == ([], [])
    assert comment_spans(text) == []


def test_between_inline_tags_all_is_markdown() -> None:
    links, tags = find_references("a <b>[[c]] #d</b> <!-- e --> [[f]]")
    assert [link.target for link in links] == ["c", "f"]
    assert [tag.name for tag in tags] == ["d"]


@given(st.lists(LINES | COMMENTED, max_size=10))
def test_links_and_tags_found_together_are_those_found_alone(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert find_references(text) == (find_links(text), find_tags(text))
