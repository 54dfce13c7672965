from __future__ import annotations

import pytest

from obsirag.markdown import LinkSpan, find_block_ids, find_links, find_tags, split_front_matter


def parts(link: LinkSpan) -> tuple[str, str, str | None, bool, bool]:
    return link.target, link.subpath, link.alias, link.embed, link.wiki


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a]]", ("a", "", None, False, True)),
        ("![[ a b # H # K | x ]]", ("a b", "#H#K", "x", True, True)),
        ("[[#^id]]", ("", "#^id", None, False, True)),
        ("| [[Home\\|go home]] |\n|---|", ("Home", "", "go home", False, True)),
        ("[x](My%20note.md#A%20B)", ("My note.md", "#A B", "x", False, False)),
        ('![alt](<a b.png> "t")', ("a b.png", "", "alt", True, False)),
        ("[x](https://a.example/b%20c#d)", ("https://a.example/b%20c#d", "", "x", False, False)),
        ("[a (b)](c(d).md)", ("c(d).md", "", "a (b)", False, False)),
    ],
)
def test_a_links_parts(text: str, expected: tuple[str, str, str | None, bool, bool]) -> None:
    assert [parts(link) for link in find_links(text)] == [expected]


def test_links_in_code_maths_and_comments_are_none() -> None:
    text = "`[[a]]` $[[b]]$ %%[[c]]%% \\[x](y)\n\n```\n[[d]]\n```\n\n- `[e](f)` [[g]]\n\n    - [[h]]\n"
    assert [link.target for link in find_links(text)] == ["g", "h"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\![[a]]", [("a", False)]),
        (r"\\![[a]]", [("a", True)]),
        (r"\[[a]]", []),
        (r"\\[[a]]", [("a", False)]),
        (r"\[x](a)", []),
        (r"\![x](a)", [("a", False)]),
        (r"\\[x](a)", [("a", False)]),
    ],
)
def test_a_backslash_makes_marks_text(text: str, expected: list[tuple[str, bool]]) -> None:
    assert [(link.target, link.embed) for link in find_links(text)] == expected


def test_tags() -> None:
    text = "#a/b x #中文，#1 `#c` [[n#d]] (#e) a#f\n#g/ #UE5 https://x.y/#z\n# Heading #h\n"
    assert [tag.name for tag in find_tags(text)] == ["a/b", "中文", "e", "g", "UE5", "h"]
    assert all(text[tag.start : tag.end] == "#" + tag.name for tag in find_tags(text))


def named(text: str) -> dict[str, str]:
    return {each.id: text[each.block_start : each.block_end] for each in find_block_ids(text)}


def test_an_id_names_its_block() -> None:
    text = (
        "Before.\n\nThe sentence. ^para\n\n- one ^one\n  - child ^child\n    more\n- two\n\n^list\n\n"
        "| a |\n|---|\n\n^table\n\n"
        "> quote\n> ^quote\n\n```\nx ^no\n```\n^fence\n\n# Head ^head\n"
    )
    assert named(text) == {
        "para": "The sentence. ^para",
        "one": "- one ^one\n  - child ^child\n    more",
        "list": "- one ^one\n  - child ^child\n    more\n- two",
        "table": "| a |\n|---|",
        "quote": "> quote\n> ^quote",
        "fence": "```\nx ^no\n```",
        "head": "# Head ^head",
    }


@pytest.mark.parametrize(
    "text",
    ["`a ^x`", "$$\na ^x\n$$", "<div>a ^x", "- <div>a ^x", "%%\na ^x\n%%", "> a %% b ^x\n\nc %%", "- %%\n  a ^x\n  %%"],
)
def test_what_looks_like_an_id_in_code_html_and_comments_is_none(text: str) -> None:
    assert find_block_ids(text) == []


def test_an_ids_marker_takes_the_blanks_before_it() -> None:
    text = "a  ^x-1 \n"
    found = find_block_ids(text)[0]
    assert (found.id, text[found.marker_start : found.marker_end]) == ("x-1", "  ^x-1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: 1\n---\nx", ("a: 1\n", "x")),
        ("\ufeff---\r\na: 1\r\n---\r\nx", ("a: 1\r\n", "x")),
        ("---\n---\n", ("", "")),
        ("---\na\n...\nx", ("a\n", "x")),
        ("---\na\n---x\nb", (None, "---\na\n---x\nb")),
        ("\n---\na: 1\n---\n", (None, "\n---\na: 1\n---\n")),
        ("\ufeffx", (None, "x")),
        ("---", (None, "---")),
    ],
)
def test_front_matter(text: str, expected: tuple[str | None, str]) -> None:
    yaml, body = split_front_matter(text)
    assert (yaml, text[body:]) == expected
