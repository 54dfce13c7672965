"""What obsirag needs of a splitter."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from langchain_core.documents import Document

from obsirag.testing.checks import check, expect
from obsirag.testing.hard_texts import HARD_TEXTS, LONG_TEXT
from obsirag.testing.splitter_abilities import SplitterAbilities
from obsirag.testing.splitter_kit import MARKDOWN, PROSE, find_gaps

__all__ = ["SplitterConformance"]

_LOST = "what stands in no chunk is never found"


class SplitterConformance(SplitterAbilities):
    """Checks of a LangChain text splitter; a subclass has the method :meth:`make`."""

    @check(harm=_LOST)
    def test_all_of_a_text_stands_in_its_chunks(self) -> None:
        for text in (PROSE, MARKDOWN):
            lost = find_gaps(text, self.texts_of(text)).lost
            expect(not lost, "every character but blanks in some chunk, in order", f"none with {lost[:3]}")

    @check(harm="chunks hold text that nobody wrote, and citations don't find it in the note")
    def test_chunks_hold_the_text_as_it_is(self) -> None:
        for text in (PROSE, MARKDOWN):
            foreign = find_gaps(text, self.texts_of(text)).foreign
            expect(not foreign, "chunks that are pieces of the text, but for blanks", foreign[:3])

    @check(harm="the same text takes several places among the hits, and other notes none")
    def test_no_chunk_says_only_what_others_say(self) -> None:
        for text in (PROSE, MARKDOWN):
            doubled = find_gaps(text, self.texts_of(text)).doubled
            expect(not doubled, "chunks that each bring something new, overlap aside", doubled[:3])

    @check(harm="a note that holds such text stays out of the index, or is garbled")
    def test_hard_texts_are_cut(self) -> None:
        for name, text in {**HARD_TEXTS, "one long line": "x" * 20_000, "many lines": "a\n" * 5_000}.items():
            chunks = self.texts_of(text)
            came, given = "".join("".join(chunks).split()), "".join(text.split())
            expect(set(given) <= set(came), f"all characters of the text with {name}", came[:80])
            for chunk in chunks:
                chunk.encode()  # half a character cannot be written

    @check(harm="empty notes stop the run")
    def test_nothing_gives_nothing(self) -> None:
        for text in ("", " \n\t\n"):
            chunks = [each for each in self.texts_of(text) if each.strip()]
            expect(not chunks, f"no chunk with text for {text!r}", chunks)

    @check(harm="unchanged notes are embedded anew with each run")
    def test_the_same_text_is_cut_the_same_way(self) -> None:
        first = self.texts_of(MARKDOWN)
        self.texts_of(PROSE)
        expect(
            self.texts_of(MARKDOWN) == first, "the same chunks, whatever was cut between", self.texts_of(MARKDOWN)[:2]
        )

    @check(harm="chunks are cited as another note's")
    def test_documents_keep_their_metadata(self) -> None:
        given = [
            Document(PROSE, metadata={"source": "a.md", "tags": ["x"]}),
            Document(LONG_TEXT, metadata={"source": "b.md", "tags": ["y"]}),
        ]
        before = deepcopy(given)
        came = self.part.split_documents(given)
        expect(given == before, "the documents that were given as they were", [each.metadata for each in given])
        for source, text in (("a.md", PROSE), ("b.md", LONG_TEXT)):
            own: list[Any] = [each for each in came if each.metadata.get("source") == source]
            expect(own, f"chunks with the source {source}", [each.metadata for each in came[:3]])
            lost = find_gaps(text, [each.page_content for each in own]).lost
            expect(not lost, f"all of {source} in its own chunks", f"none with {lost[:3]}")
        if len(came) > 1:
            came[0].metadata["source"] = came[0].metadata["changed"] = "changed"
            others = [each.metadata for each in came[1:] if each.metadata.get("changed")]
            expect(not others and given == before, "metadata of its own for each chunk", "the same for several")
