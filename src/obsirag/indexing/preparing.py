"""From a note's file to its record: render, clean, split, and say where everything came from."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Protocol

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from obsirag.catalogue import (
    ChunkRecord,
    FileState,
    NoteRecord,
    ParentRecord,
    content_hash,
    digest,
    encode,
)
from obsirag.indexing.chunk_places import Outline, places_of
from obsirag.indexing.file_parts import file_parts, part_lines
from obsirag.indexing.names import names_in_links
from obsirag.indexing.stretches import split_note
from obsirag.records import (
    Diagnostic,
    Note,
    Permissions,
    RenderedNote,
    access_key,
    merge_permissions,
    permissions_from_json,
    permissions_to_json,
    places_to_json,
)
from obsirag.splitters import ObsidianSplitter, RuleSplitter, outline
from obsirag.splitters.own_metadata import own_metadata
from obsirag.splitters.regions import Labels, labels_of

__all__ = ["Preparer", "VaultLike", "input_limit_diagnostics", "render_hash"]


class VaultLike(Protocol):
    """What the indexer asks of a vault."""

    @property
    def root(self) -> Path:
        """Its folder."""

    def paths(self) -> list[str]:
        """Return the paths of its notes."""

    def attachments(self) -> list[str]:
        """Return the paths of its other files."""

    def unreadable_folders(self) -> Collection[str]:
        """Return the folders that could not be listed when its paths were; the vault's own is an empty text."""

    def read_bytes(self, path: str) -> bytes:
        """Return what a note's file holds; what isn't a file of the vault any more is not read."""

    def stat(self, path: str) -> os.stat_result:
        """Look at a note's file."""

    def note(self, path: str) -> Note:
        """Read a note."""

    def render(self, path: str) -> RenderedNote:
        """Render a note."""


class Preparer:
    """Makes records of notes.

    Args:
        vault: The vault.
        clean: Cleans a rendered note.
        splitter: Cuts it; one with ``split_note`` knows embeds and labels.
        settings: Name of the settings by which all this is done.
    """

    def __init__(
        self,
        vault: VaultLike,
        clean: Callable[[RenderedNote], RenderedNote] | None,
        splitter: TextSplitter,
        settings: str,
    ) -> None:
        self._vault = vault
        self._clean = clean
        self._splitter = splitter
        self.settings = settings

    def render(self, path: str) -> tuple[Note, RenderedNote]:
        """Read, render and clean a note.

        Raises:
            ObsiragError: If it cannot be read.
        """
        rendered = self._vault.render(path)
        return self._vault.note(path), self._clean(rendered) if self._clean else rendered

    def record(
        self, note: Note, rendered: RenderedNote, state: FileState, file_hash: str, rendered_hash: str
    ) -> NoteRecord:
        """Split a rendered note and return all that the catalogue is to hold of it."""
        return NoteRecord(
            path=rendered.path,
            state=state,
            file_hash=file_hash,
            render_hash=rendered_hash,
            settings=self.settings,
            title=str(rendered.metadata.get("title") or note.title),
            metadata={**own_metadata(rendered.metadata, drop=frozenset()), "source": rendered.path},
            aliases=note.aliases,
            permissions=rendered.permissions,
            dependencies=rendered.dependencies - {rendered.path},
            names=names_in_links(note.links),
            links=note.links,
            chunks=tuple(self._chunks(rendered, part_lines(note))),
            parents=tuple(self._parents(rendered)),
        )

    def _chunks(self, rendered: RenderedNote, parts: Sequence[tuple[int, str]]) -> Iterator[ChunkRecord]:
        documents = split_note(rendered, self._splitter)
        headings = outline(rendered)
        labels = labels_of(rendered)
        seen: Counter[tuple[str, str]] = Counter()
        ids: set[str] = set()
        for position, document in enumerate(documents):
            text = document.page_content
            permissions = _permissions(rendered, labels, document)
            key = access_key(permissions)
            name = content_hash(text)
            ordinal = seen[name, key]
            seen[name, key] += 1
            chunk_id = self._global_id(rendered.path, document.metadata.get("chunk_id") or document.id)
            if not chunk_id or chunk_id in ids:
                chunk_id = digest("chunk", rendered.path, key, name, str(ordinal))
            ids.add(chunk_id)
            metadata = {
                **document.metadata,
                "source": rendered.path,
                "chunk_index": position,
                "chunk_id": chunk_id,
                "content_hash": name,
                "permissions": permissions_to_json(permissions),
                **_places(rendered, headings, document),
                **file_parts(parts, document),
            }
            parent_id = self._global_id(rendered.path, metadata.get("parent_id"))
            if parent_id:
                metadata["parent_id"] = parent_id
            yield ChunkRecord(
                # The same content of the same note keeps its vector, so that a change costs only what changed; and an
                # id never stands for another content, so that a reader of either version finds what it looked for.
                vector_id=digest("vector", rendered.path, key, name, str(ordinal)),
                chunk_id=metadata["chunk_id"],
                content=text,
                metadata=metadata,
                content_hash=name,
                access=key,
                permissions=permissions,
                parent_id=parent_id or None,
            )

    def _parents(self, rendered: RenderedNote) -> Iterator[ParentRecord]:
        split_parents = getattr(self._splitter, "split_parents", None)
        headings = outline(rendered)
        labels = labels_of(rendered)
        seen: set[str] = set()
        for document in split_parents(rendered) if split_parents else ():
            permissions = _permissions(rendered, labels, document)
            parent_id = self._global_id(rendered.path, document.metadata.get("parent_id") or document.id)
            if not parent_id or parent_id in seen:
                continue
            seen.add(parent_id)
            metadata = {
                **document.metadata,
                "source": rendered.path,
                "parent_id": parent_id,
                "permissions": permissions_to_json(permissions),
                **_places(rendered, headings, document),
            }
            yield ParentRecord(parent_id, document.page_content, metadata, access_key(permissions), permissions)

    def _global_id(self, path: str, given: object) -> str:
        """Return an id that no other note has; a stranger's splitter may count from the beginning in each."""
        if given in (None, ""):
            return ""
        own = isinstance(self._splitter, (ObsidianSplitter, RuleSplitter))
        return str(given) if own else f"{path}#{given}"


def render_hash(note: Note, rendered: RenderedNote) -> str:
    """Return a hash of all that a note's record is made of, but for the splitter."""
    return content_hash(
        encode(
            [
                rendered.text,
                rendered.metadata,
                list(rendered.segments),
                list(rendered.embeds),
                rendered.permissions,
                rendered.dependencies,
                [astuple(link) for link in note.links],
                note.aliases,
                *([list(map(astuple, note.parts))] if note.parts else []),
            ]
        )
    )


def input_limit_diagnostics(
    record: NoteRecord, limit: int | None, length: Callable[[str], int] | None
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each chunk that is longer than what the embedding model reads."""
    if not isinstance(limit, int) or not callable(length):  # attributes of a stranger
        return
    for chunk in record.chunks:
        size = length(chunk.content)
        if size > limit:
            yield Diagnostic(
                record.path,
                int(chunk.metadata.get("start_line") or 0),
                "input-limit",
                f"a chunk is {size} long, the embedding model reads {limit}: its end is not found by meaning. "
                "Lower the splitter's max_chunk_size.",
            )


def _permissions(rendered: RenderedNote, labels: Labels, document: Document) -> Permissions:
    """Return who may read a chunk: those whom its splitter lets and who may also read the note and the chunk's place.

    For a chunk of which its splitter states neither labels nor place, all the labels of the note hold together.
    """
    parts = [rendered.permissions, permissions_from_json(document.metadata.get("permissions"))]
    place = _place(rendered, document)
    if place is not None:
        parts += [labels.at(each) for each in (place[0], *labels.between(*place[:2]))]
    elif not parts[1]:
        parts += [embed.permissions for embed in rendered.embeds]
    return merge_permissions(*parts)


def _place(rendered: RenderedNote, document: Document) -> tuple[int, int, str, str] | None:
    """Return where a chunk begins and ends, and the contexts around it; None if its splitter doesn't say."""
    start, end = document.metadata.get("start_index"), document.metadata.get("end_index")
    before = document.metadata.get("context_before") or ""
    after = document.metadata.get("context_after") or ""
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end:
        return None
    if f"{before}{rendered.text[start:end]}{after}" != document.page_content:
        return None  # a splitter that changes the text: its own lines have to do
    return start, end, before, after


def _places(rendered: RenderedNote, headings: Outline, document: Document) -> dict[str, str]:
    place = _place(rendered, document)
    if place is None:
        return {}
    start, end, before, after = place
    return {"places": places_to_json(places_of(rendered, headings, start, end, before=before, after=after))}
