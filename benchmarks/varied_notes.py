"""An index of any size, without vectors, of notes that are made of what real ones say."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from langchain_core.documents import Document

from obsirag import ObsidianSplitter, Vault
from obsirag.catalogue import Catalogue, ChunkRecord, FileState, NoteRecord, content_hash, publish
from obsirag.records import PUBLIC, Permissions, access_key
from obsirag.text import sentence_ends

__all__ = ["LABELS", "VariedNotes", "fill"]

LABELS = ("staff", "board")
"""Every tenth note is for the first, every hundredth for the second alone."""

_CAPITALISED = re.compile(r"[A-Z][a-z]{2,}")
_NOTES_A_TRANSACTION = 500


def fill(catalogue: Catalogue, notes: VariedNotes, size: int) -> None:
    """Publish notes in an empty catalogue until it has at least so many chunks."""
    count = 0
    batch: list[NoteRecord] = []
    for record in notes:
        batch.append(record)
        count += len(record.chunks)
        if count >= size or len(batch) == _NOTES_A_TRANSACTION:
            with catalogue.writing() as connection:
                publish(connection, batch, ())
            batch = []
        if count >= size:
            return


@dataclass(frozen=True, slots=True)
class RealNote:
    """A note as it is cut, and each chunk's sentences."""

    path: str
    chunks: list[Document]
    sentences: list[list[str]]


class VariedNotes:
    """Copies of the notes of vaults, without end, always the same ones.

    All vaults have the same share, so that a small one in another language is not lost among the large. In a copy every
    other sentence gives way to one of the same vault, and every chunk gets an identifier of its own, made of
    capitalised words of the vaults: thus common words stay as common as they were, and there are always rare ones.

    Args:
        vaults: The vaults' folders.
    """

    def __init__(self, vaults: Sequence[Path]) -> None:
        self.vaults = [notes for folder in vaults if (notes := _read(folder))]
        self.sentences = [list(chain.from_iterable(_sentences(notes))) for notes in self.vaults]
        words = _CAPITALISED.findall(" ".join(chain.from_iterable(self.sentences)))
        self._words = sorted(set(words)) or ["Note"]

    def __iter__(self) -> Iterator[NoteRecord]:
        chance = random.Random(0)
        number = 0
        while True:
            which = chance.randrange(len(self.vaults))
            note = chance.choice(self.vaults[which])
            yield self._copy(note, self.sentences[which], number, chance)
            number += 1

    def _copy(self, note: RealNote, sentences: list[str], number: int, chance: random.Random) -> NoteRecord:
        path = f"copy {number}/{note.path}"
        permissions: Permissions = (
            ((LABELS[1],),) if number % 100 == 99 else ((LABELS[0],),) if number % 10 == 9 else ()
        )
        chunks = [
            self._vary(chunk, own, sentences, f"{path}#{position}", permissions or PUBLIC, chance)
            for position, (chunk, own) in enumerate(zip(note.chunks, note.sentences, strict=True))
        ]
        title = str(note.chunks[0].metadata["title"])
        return NoteRecord(path, FileState(0, 0, 0, number), "", "", "", title, chunks=tuple(chunks))

    def _vary(
        self,
        chunk: Document,
        own: list[str],
        sentences: list[str],
        chunk_id: str,
        permissions: Permissions,
        chance: random.Random,
    ) -> ChunkRecord:
        name = "".join(chance.choices(self._words, k=2)) + str(chance.randrange(10**6))
        content = "".join(each if chance.random() < 0.5 else chance.choice(sentences) for each in own) + f"\n{name}"
        source = chunk_id.rpartition("#")[0]
        return ChunkRecord(
            vector_id=chunk_id,
            chunk_id=chunk_id,
            content=content,
            metadata=chunk.metadata | {"source": source, "chunk_id": chunk_id, "vault": source.split("/")[1]},
            content_hash=content_hash(content),
            access=access_key(permissions),
            permissions=permissions,
        )


def _read(folder: Path) -> list[RealNote]:
    vault, splitter = Vault(folder), ObsidianSplitter()
    notes = []
    for path in vault.paths():
        chunks = splitter.split_note(vault.render(path))
        if chunks:
            cut = [_cut(chunk.page_content) for chunk in chunks]
            notes.append(RealNote(f"{folder.name}/{path}", chunks, cut))
    return notes


def _cut(text: str) -> list[str]:
    ends = sentence_ends(text)
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return [text[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def _sentences(notes: Sequence[RealNote]) -> Iterator[list[str]]:
    for note in notes:
        yield from note.sentences
