"""The page of a note's chunks: the note as it is, cut where it was cut, and nothing of it alive."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

from chunk_pages import ShownPage
from obsidian_texts import texts
from obsirag.cli.page import chunk_page
from obsirag.records import EmbedSpan, RenderedNote
from obsirag.splitters import Limits, Measure, ObsidianSplitter

HOSTILE = "\n\n".join(
    [
        "# </title><script>alert(1)</script> \"quotes\" 'single' & &amp; &#x41;",
        "</style></script><script>alert(2)</script>\n<img src=x onerror=alert(3)>",
        "{{script}} {{chunks}} {{style_hash}} ]]> <!-- --!> -->",
        "`</div></article></main>` <svg/onload=alert(4)> <a href='javascript:alert(5)'>x</a>",
        "nul \x00 bell \x07 escape \x1b[31m delete \x7f next line \x85 lone \ud800 none \ufffe",
        "bidi \u202eevil\u202c \u2066x\u2069 sep \u2028 end \u2029",
        "```html\n<script>alert(6)</script>\n</pre></textarea><plaintext>\n```",
        '| a | b |\n|---|---|\n| <b onclick=x()> | " onmouseover="alert(7) |',
    ]
)

sizes = st.one_of(st.integers(1, 40), st.integers(40, 400))
hostile_texts = st.text(st.sampled_from("<>&\"'/=a \n\r\t\x00\x0b\x1b\x85\u202e\ud800\ufffe`|-#字"), max_size=60)


def page_of(text: str, splitter: ObsidianSplitter, **metadata: object) -> tuple[ShownPage, list[Document], str]:
    note = RenderedNote("folder/note.md", text, metadata)
    documents = splitter.split_note(note)
    page = chunk_page(note, documents, Measure(Limits(chunk_size=splitter._chunk_size)))
    return ShownPage(page), documents, page


@given(st.one_of(texts(), hostile_texts), sizes, st.integers(0, 30))
@example(HOSTILE, 1000, 50)
@example(HOSTILE, 60, 20)
@example("", 10, 0)
@example(" \n", 10, 0)
@settings(max_examples=150)
def test_every_character_stands_in_the_page_once_and_in_order(text: str, size: int, overlap: int) -> None:
    shown, documents, _ = page_of(text, ObsidianSplitter(chunk_size=size, chunk_overlap=overlap))
    assert shown.text == text
    assert [shown.chunks[f"chunk-{number}"] for number in range(1, len(documents) + 1)] == [
        (each.metadata["start_index"] + each.metadata["overlap"], each.metadata["end_index"]) for each in documents
    ]
    assert len(shown.chunks) == len(documents)


@given(st.one_of(texts(), hostile_texts), sizes)
@example(HOSTILE, 1000)
@settings(max_examples=100)
def test_a_note_adds_no_element_that_is_not_the_pages_own(text: str, size: int) -> None:
    shown, documents, page = page_of(text, ObsidianSplitter(chunk_size=size), title=text, field=text)
    assert [tag for tag, _ in shown.elements].count("script") == 1
    assert [tag for tag, _ in shown.elements].count("article") == len(documents)
    for tag, attributes in shown.elements:
        assert tag not in ("img", "iframe", "object", "embed", "link", "base", "form")
        assert not any(name.startswith("on") or name in ("src", "style", "action") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    page.encode()  # nothing that a file cannot hold
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)


def test_only_the_pages_own_script_and_style_may_run() -> None:
    _, _, page = page_of(HOSTILE, ObsidianSplitter())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert policy[1].count("'sha256-") == 2
    assert "unsafe" not in policy[1]


CODE = "".join(f"value_{number} = compute({number})\n\n" for number in range(30))


def test_what_a_chunk_repeats_or_adds_is_told_apart() -> None:
    prose = "".join(f"Sentence {number} is here, as it must be. " for number in range(20))
    text = f"# Title\n\n{prose}\n\n```python\n{CODE}```\n\n| a | b |\n|---|---|\n" + "| one | two |\n" * 30
    shown, documents, _ = page_of(text, ObsidianSplitter(chunk_size=200, chunk_overlap=40))
    repeated = [text[each.metadata["start_index"] :][: each.metadata["overlap"]].rstrip() for each in documents]
    assert any(repeated)
    assert "".join(part for kinds, part in shown.marked if "overlap" in kinds) == "".join(repeated)
    contexts = {
        f"chunk-{number}": [
            context.strip("\n")
            for context in (each.metadata["context_before"], each.metadata["context_after"])
            if context
        ]
        for number, each in enumerate(documents, 1)
    }
    assert shown.contexts == {name: told for name, told in contexts.items() if told}
    assert {"```python", "```", "| a | b |\n|---|---|"} == {each for told in shown.contexts.values() for each in told}


def test_structures_are_marked_with_what_they_are() -> None:
    parts = {
        "heading": "# Title",
        "fence": "```\ncode\n```",
        "table": "| a |\n|---|\n| b |",
        "item": "- one\n  - two",
        "callout": "> [!note] Look\n> here",
        "quote": "> said",
        "math": "$$\nx\n$$",
    }
    shown, _, _ = page_of("\n\n".join(["Plain.", *parts.values(), "A [[link]] and `code`."]), ObsidianSplitter())
    for kind, part in parts.items():
        assert [text.strip() for kinds, text in shown.marked if kinds >= {"block", kind}] == [part]
    assert [text for kinds, text in shown.marked if "span" in kinds] == ["[[link]]", "`code`"]


def test_the_metadata_of_each_chunk_are_there() -> None:
    text = "# One\n\nWith a #tag.\n\n" + "Words and words. " * 100
    shown, documents, page = page_of(text, ObsidianSplitter(chunk_size=300), author="<A & B>", date="2024-01-31")
    for number, each in enumerate(documents, 1):
        told = shown.facts[f"chunk-{number}"]
        assert told["chunk_id"] == each.metadata["chunk_id"]
        assert told["headings"] == "One"
        assert told["overlap"] == str(each.metadata["overlap"])
        assert "author" not in told  # the note's, which all chunks share, are told once
    assert page.count("&lt;A &amp; B&gt;") == 1


def test_the_blocks_of_an_embed_end_with_it() -> None:
    text = "before\n\n```\nopen\n\nafter"
    note = RenderedNote("a.md", text, embeds=(EmbedSpan(8, 16, "b.md", 3),))
    shown = ShownPage(chunk_page(note, ObsidianSplitter().split_note(note)))
    assert [part for kinds, part in shown.marked if "fence" in kinds] == ["```\nopen"]


@pytest.mark.parametrize("told", [True, False])
def test_chunks_of_any_splitter_are_shown(told: bool) -> None:
    text = "One two three. " * 30 + "\n\n<b>four</b> " * 30
    splitter = RecursiveCharacterTextSplitter(chunk_size=100, chunk_overlap=20, add_start_index=told)
    documents = splitter.create_documents([text], [{"source": "a.md"}])
    page = chunk_page(RenderedNote("a.md", text), documents)
    shown = ShownPage(page)
    assert len(shown.chunks) == len(documents)
    assert ("doesn&#x27;t say where" in page) != told
    if told:
        assert shown.text == text
    else:
        assert [shown.text[start:end] for start, end in shown.chunks.values()] == [
            each.page_content for each in documents
        ]


def test_text_in_no_chunk_is_told() -> None:
    documents = [Document("one", metadata={"start_index": 0}), Document("three", metadata={"start_index": 8})]
    shown = ShownPage(chunk_page(RenderedNote("a.md", "one two three"), documents))
    assert shown.text == "one two three"
    assert [shown.text[start:end] for kinds, start, end in shown.pieces if "outside" in kinds] == [" two "]


def test_metadata_that_are_not_true_place_nothing() -> None:
    for start in (1, -1, 99, "0", None, True):
        documents = [Document("one", metadata={"start_index": start})]
        assert "doesn&#x27;t say where" in chunk_page(RenderedNote("a.md", "one two"), documents)
