"""What grows with a note, and how: never faster than its length."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from obsirag.splitters import ObsidianSplitter
from obsirag.text import estimate_tokens
from step_counts import steps_of

NESTED: list[Callable[[int], str]] = [
    lambda n: "- " * n + "x\n" + "\n" * n + "  y\n",
    lambda n: "- " * n + "x  ",
    lambda n: "> " * n + "x\n" + "\n" * n,
    lambda n: "> " * n + "x\n" + ">\n" * n,
    lambda n: "1. " * n + "x\n" + "\n" * n + "   y\n",
    lambda n: "> - 1. " * n + "x\n" + "> \n" * n + "> y\n" * n,
    lambda n: "- a\n" + "\n" * n + "  " + "- " * n + "b\n",
    lambda n: "[^a]: " * n + "x\n" + "\n" * n + "    y\n" * n,
    lambda n: "- a\n" + "  - b\n" * n,
    lambda n: "x" * n + "%%\n" * n,
    lambda n: "a %% b\n\nx\n" + "% c\n" * n,
]
UNITS = ["[[", "> ", "`", "%% a\n", "$", "- a\n", "**a ", "# a\n", "a. ", "字", "\u0301", "a|b\n", "> a\nb\n", "[[a]] "]
UNITS += [
    "^a\n\n",
    "<!-- end -->\n\n",
    "Note:\n\n",
    "**T**\n\n",
    "- a:\n```\nx\n```\n",
    "> [!a]\n",
    "# a\n\n^b\n\n",
    "## a\n\n",
]


@pytest.mark.parametrize("length", [len, estimate_tokens])
@pytest.mark.parametrize("make", [*(unit.__mul__ for unit in UNITS), *NESTED])
def test_work_grows_with_the_length_only(make: Callable[[int], str], length: Callable[[str], int]) -> None:
    splitter = ObsidianSplitter(chunk_size=40, length_function=length)
    few, many = make(150), make(600)
    assert (
        steps_of(lambda: splitter.create_documents([many]))
        <= 4.6 * steps_of(lambda: splitter.create_documents([few])) + 2000
    )


@pytest.mark.parametrize("unit", ["word word. ", "x = 1\n", "| a | b |\n", "好。"])
@pytest.mark.parametrize("before", ["", "```\n", "| a | b |\n|---|---|\n", "- "])
def test_what_is_measured_grows_with_the_length_only(unit: str, before: str) -> None:
    def measured(count: int) -> int:
        characters = 0

        def length(text: str) -> int:
            nonlocal characters
            characters += len(text)
            return len(text)

        ObsidianSplitter(chunk_size=100, length_function=length).split_text(before + unit * count)
        return characters

    assert measured(4000) <= 4.5 * measured(1000)


@pytest.mark.parametrize(
    ("text", "metadata"),
    [
        ("# " + "long " * 20_000 + "\n\n" + "word. " * 2_000, {}),
        ("long " * 20_000 + "\n===\n\n" + "word. " * 2_000, {}),
        ("```" + "long" * 20_000 + "\n" + "word = 1\n" * 2_000, {}),
        ("word. " * 2_000, {"title": "long " * 20_000}),
        ("word. " * 2_000, {"tags": [f"tag{index}" for index in range(20_000)]}),
        (
            "word. " * 2_000,
            {"tags": ["long" * 20_000], "aliases": ["long " * 20_000], "more": {"a": list(range(9000))}},
        ),
        ("word. " * 2_000, {f"field{index}": "value" for index in range(5_000)}),
    ],
)
def test_what_chunks_repeat_of_the_note_is_bounded(text: str, metadata: dict[str, object]) -> None:
    for chunk in ObsidianSplitter(chunk_size=200).create_documents([text], [{"source": "n.md", **metadata}]):
        assert len(json.dumps(chunk.metadata, ensure_ascii=False)) < 15_000


def test_long_names_keep_their_beginning() -> None:
    name = "ab" * 200
    chunk = ObsidianSplitter().create_documents([f"# {name}\n\n## Short\n\ntext #own"], [{"tags": ["given"]}])[0]
    assert chunk.metadata["headings"] == [name[:299] + "…"]
    assert chunk.metadata["title"] == name[:299] + "…"
    assert json.loads(chunk.metadata["sections"][1]) == [name[:299] + "…", "Short"]
    assert chunk.metadata["tags"] == ["given", "own"]


class Counted(str):
    """A text that knows how many characters were copied out of it."""

    copied = 0

    def __getitem__(self, key: Any) -> str:
        part = super().__getitem__(key)
        self.copied += len(part)
        return part


@pytest.mark.parametrize(
    "before", ["```\n", "> ```\n> ", "- ```\n  ", "| a |\n|---|\n", "", "$$\n", "<div>\n", "> ", "# "]
)
@pytest.mark.parametrize("unit", ["word ", "a;b", "字"])
def test_what_is_copied_of_one_long_line_grows_with_its_length_only(before: str, unit: str) -> None:
    def copied(count: int) -> int:
        text = Counted(before + unit * count)
        ObsidianSplitter(chunk_size=50).split_text(text)
        return text.copied

    assert copied(8000) <= 4.5 * copied(2000)
