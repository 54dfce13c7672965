"""What a splitter may be able to do beside what it must."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from langchain_core.documents import Document

from obsirag.records import RenderedNote, permissions_from_json
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.splitter_kit import MARKDOWN, PROSE, SplitterKit, find_gaps
from obsirag.vault import Vault

__all__ = ["SplitterAbilities"]

_SECRET = "The password of the vault door is 4711."  # noqa: S105 - no password but a text


def _size_of(part: Any) -> Any:
    # LangChain's splitters keep it under the name with an underscore, and tell it nowhere else.
    names = ("max_chunk_size", "chunk_size", "_chunk_size")
    return next((size for name in names if isinstance(size := getattr(part, name, None), int)), None)


def _length_of(part: Any) -> Callable[[str], int]:
    names = ("length_function", "_length_function")
    return next((each for name in names if (each := getattr(part, name, None))), len)


def _keeps_to_its_size(kit: SplitterKit) -> bool:
    length, size = _length_of(kit.part), _size_of(kit.part)
    return size is not None and all(length(each) <= size for each in kit.texts_of(PROSE.replace("\n", " ")))


SIZES = Capability(
    "a size that it keeps to",
    "chunks may be longer than what the embedding model reads, and their ends are never found",
    _keeps_to_its_size,
)
NOTES = Capability(
    "notes (`split_note`)",
    "citations tell the lines of a whole stretch of a note, without headings, and embeds are text like any other",
    lambda kit: callable(getattr(kit.part, "split_note", None)),
)


class SplitterAbilities(SplitterKit):
    """Checks of what a splitter may be able to do."""

    @check(of=SIZES, harm="long lines stay out of the index")
    def test_a_text_without_blanks_keeps_to_the_size_too(self) -> None:
        length, size = _length_of(self.part), _size_of(self.part)
        longest = max(length(each) for each in self.texts_of("存档系统" * 2_000))
        expect(longest <= size, f"no chunk over {size}", longest)

    @check(of=NOTES, harm="what stands in no chunk is never found")
    def test_all_of_a_note_stands_in_its_chunks(self) -> None:
        note = self._note("plain.md")
        gaps = find_gaps(note.text, [each.page_content for each in self.chunks_of(note)])
        expect(not any(gaps), "every character but blanks in some chunk, and nothing else", gaps)

    @check(of=NOTES, harm="citations lead to another place")
    def test_chunks_say_where_they_stand(self) -> None:
        lines = self._note("plain.md").text.split("\n")
        for chunk in self.chunks_of(self._note("plain.md")):
            first, last = chunk.metadata["start_line"], chunk.metadata["end_line"]
            stand = "".join("".join(lines[first - 1 : last]).split())
            text = "".join(chunk.page_content.split())
            expect(
                text in stand, f"the chunk's text in the lines {first} to {last} that it tells", chunk.page_content[:60]
            )

    @check(of=NOTES, harm="chunks take each other's place in the index")
    def test_each_chunk_has_an_id_of_its_own(self) -> None:
        ids = [each.id for path in ("plain.md", "host.md") for each in self.chunks_of(self._note(path))]
        expect(all(ids) and len(set(ids)) == len(ids), "an id for each chunk, and no id twice", ids)

    @check(of=NOTES, harm="people read what they have no right to")
    def test_text_under_a_label_shares_no_chunk_with_other_text(self) -> None:
        chunks = self.chunks_of(self._note("host.md"))
        secret = [each for each in chunks if "4711" in each.page_content]
        expect(secret, "the embedded text in some chunk", [each.page_content for each in chunks])
        for chunk in secret:
            held = permissions_from_json(chunk.metadata.get("permissions"))
            expect(held == (("leads",),), "the label `leads` on each chunk with text under it", held)
            expect("for everybody" not in chunk.page_content, "text under a label by itself", chunk.page_content)

    def chunks_of(self, note: RenderedNote) -> list[Document]:
        """Return the chunks of a note."""
        came: list[Document] = self.part.split_note(note)
        return came

    def _note(self, path: str) -> RenderedNote:
        return self._vault.render(path)

    @cached_property
    def _vault(self) -> Vault:
        texts = {
            "plain.md": MARKDOWN,
            "secret.md": f"---\npermission: leads\n---\n{_SECRET}\n",
            "host.md": "This is for everybody.\n\n![[secret]]\n\nThis too is for everybody.\n",
        }
        for name, text in texts.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        return Vault(self.folder)
