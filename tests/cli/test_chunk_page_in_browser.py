"""The page of a note's chunks in a real browser: nothing of the note runs, and the page's own script does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chunk_pages import ShownPage
from obsirag.cli.page import chunk_page
from obsirag.records import RenderedNote
from obsirag.splitters import ObsidianSplitter

SET = "document.documentElement.setAttribute('data-owned', '1')"
NOTE = "\n\n".join(
    [
        f"# </title><script>{SET}</script>",
        f"</style></script></textarea><script>{SET}</script>",
        f"</div></article></main><img src=x onerror=\"{SET}\"><svg onload='{SET}'></svg>",
        f'"><script>{SET}</script> \'><script>{SET}</script> <a href="javascript:{SET}">x</a>',
        f"```html\n<script>{SET}</script>\n</pre><plaintext>\n```",
        "nul \x00 bell \x07 return \r lone \ud800 \u202ebidi\u202c 中文，没有问题。",
        f'| <script>{SET}</script> | b |\n|---|---|\n| c | <iframe srcdoc="<script>parent.{SET}</script>"> |',
    ]
)


@pytest.fixture
def load(load_page: Callable[..., tuple[str, str]]) -> Callable[..., tuple[ShownPage, str]]:
    """Loads a page and returns what became of it, and what the browser's console said."""

    def loaded(page: str, fragment: str = "") -> tuple[ShownPage, str]:
        shown, console = load_page(page, fragment)
        return ShownPage(shown.removeprefix("<!DOCTYPE html>").strip()), console

    return loaded


def page_of(text: str) -> str:
    note = RenderedNote("evil.md", text, {"title": text, "<script>": f"<script>{SET}</script>"})
    return chunk_page(note, ObsidianSplitter(chunk_size=120, chunk_overlap=30).split_note(note))


def test_a_hostile_note_is_shown_and_does_nothing(load: Callable[..., tuple[ShownPage, str]]) -> None:
    shown, console = load(page_of(NOTE))
    root = shown.elements[0]
    assert root[0] == "html"
    assert root[1]["class"] == "scripted"  # the page's own script ran
    assert all("data-owned" not in attributes for _, attributes in shown.elements)
    assert not {tag for tag, _ in shown.elements} & {"img", "iframe", "plaintext"}
    assert shown.text == NOTE
    assert console == ""


def test_a_link_to_a_chunk_shows_its_metadata(load: Callable[..., tuple[ShownPage, str]]) -> None:
    shown, console = load(page_of(NOTE), "#chunk-2")
    chunks = [attributes for tag, attributes in shown.elements if tag == "article"]
    assert [each["id"] for each in chunks if {"kept", "current"} <= set(each["class"].split())] == ["chunk-2"]
    assert all(each["tabindex"] == "0" for each in chunks)
    assert set(shown.facts) == {each["id"] for each in chunks}
    assert shown.facts["chunk-2"]["chunk_index"] == "1"
    assert console == ""


def test_the_browser_refuses_a_script_that_is_not_the_pages_own(load: Callable[..., tuple[ShownPage, str]]) -> None:
    page = page_of("A note.").replace("<main", f"<script>{SET}</script><main", 1)
    shown, console = load(page)
    assert "data-owned" not in shown.elements[0][1]
    assert "Content Security Policy" in console
