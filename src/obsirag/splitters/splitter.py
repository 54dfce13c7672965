"""The splitter for Obsidian notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from obsirag.markdown import split_front_matter
from obsirag.records import (
    Permissions,
    RenderedNote,
    Segment,
    merge_permissions,
    permissions_from_json,
    permissions_in,
)
from obsirag.splitters.cutting import Cutter
from obsirag.splitters.documents import DocumentMaker
from obsirag.splitters.overlapping import overlap_start
from obsirag.splitters.packing import pack
from obsirag.splitters.parents import parents_of
from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels, labels_of
from obsirag.splitters.sections import Section, sections_of
from obsirag.splitters.sizes import Sizes

__all__ = ["ObsidianSplitter"]


class ObsidianSplitter(TextSplitter):
    """Cuts notes along their headings and blocks; only what is itself too large is cut inside.

    It keeps no state between calls and may be shared by threads.

    Args:
        chunk_size: What a chunk should not pass, its overlap and repeated contexts included, in units of
            ``length_function``.
        min_chunk_size: What sections are put together to reach; half of ``chunk_size`` if None.
        chunk_overlap: How much of the text before a chunk repeats, where it goes on within a section; kept below half
            of ``chunk_size``.
        max_chunk_size: What no chunk passes; double ``chunk_size`` if None.
        length_function: The length of a text. It must not shrink when text is added.
        heading_separator: What stands between the headings in ``hierarchy_path``.
        parent_chunk_size: What ``split_parents`` puts chunks together to; four times ``chunk_size`` if None.
        input_limit: A second limit that no chunk passes: what the embedding model reads. None if there is none.
        input_length: The length that ``input_limit`` refers to; ``length_function`` if None.

    Raises:
        ValueError: If a size is not an integer of at least 1, or the overlap not one of at least 0.
    """

    def __init__(
        self,
        *,
        chunk_size: int = 1000,
        min_chunk_size: int | None = None,
        chunk_overlap: int = 50,
        max_chunk_size: int | None = None,
        length_function: Callable[[str], int] = len,
        heading_separator: str = "-",
        parent_chunk_size: int | None = None,
        input_limit: int | None = None,
        input_length: Callable[[str], int] | None = None,
    ) -> None:
        _check_size("chunk_size", chunk_size, least=1)
        _check_size("chunk_overlap", chunk_overlap, least=0)
        for name, size in (
            ("min_chunk_size", min_chunk_size),
            ("max_chunk_size", max_chunk_size),
            ("parent_chunk_size", parent_chunk_size),
            ("input_limit", input_limit),
        ):
            if size is not None:
                _check_size(name, size, least=1)
        overlap = min(chunk_overlap, (chunk_size - 1) // 2)
        super().__init__(chunk_size=chunk_size, chunk_overlap=overlap, length_function=length_function)
        maximum = chunk_size * 2 if max_chunk_size is None else max_chunk_size
        self._sizes = Sizes(
            chunk=min(chunk_size, maximum),
            minimum=min(chunk_size, max(1, chunk_size // 2) if min_chunk_size is None else min_chunk_size),
            maximum=maximum,
            overlap=overlap,
            length=length_function,
            input_limit=input_limit,
            input_length=length_function if input_length is None else input_length,
        )
        self._separator = heading_separator
        self._parent_size = chunk_size * 4 if parent_chunk_size is None else parent_chunk_size

    def split_text(self, text: str) -> list[str]:
        """Return the chunks of a note's text; front matter at its start lies outside all of them."""
        return [piece.content(text) for piece in self._pieces(_as_note(text, {}), split_front_matter(text)[1])[0]]

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Return the chunks of each text as documents.

        Args:
            texts: The texts of notes.
            metadatas: Their metadata, one for each text; ``source`` is the path.

        Raises:
            ValueError: If there are not as many metadata as texts.
        """
        pairs = ((text, {}) for text in texts) if metadatas is None else zip(texts, metadatas, strict=True)
        found: list[Document] = []
        for text, metadata in pairs:
            found += self._chunks(_as_note(text, metadata), split_front_matter(text)[1])
        return found

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Return the chunks of each document, with its metadata; ``source`` is the path."""
        given = list(documents)
        return self.create_documents(
            [document.page_content for document in given], [document.metadata for document in given]
        )

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:  # noqa: ARG002
        """Return the same as ``split_documents``."""
        return self.split_documents(documents)

    def split_note(self, rendered: RenderedNote) -> list[Document]:
        """Return the chunks of a rendered note, which know its embeds, sources and labels.

        Args:
            rendered: The note; all offsets refer to its text.
        """
        return self._chunks(rendered, 0)

    def _chunks(self, rendered: RenderedNote, body: int) -> list[Document]:
        pieces, sections, labels = self._pieces(rendered, body)
        if not pieces:
            return []
        maker = DocumentMaker(rendered, sections, labels, self._separator)
        parents, parent_of = parents_of(rendered.text, sections, labels, self._sizes, pieces, self._parent_size)
        parent_ids = maker.ids(parents, "parent")[1]
        chunks = maker.make(pieces)
        for chunk, parent in zip(chunks, parent_of, strict=True):
            chunk.metadata["parent_id"] = parent_ids[parent]
        return chunks

    def split_parents(self, rendered: RenderedNote) -> list[Document]:
        """Return the larger sections of a rendered note: the documents whose ids its chunks carry as ``parent_id``.

        Args:
            rendered: The note.
        """
        pieces, sections, labels = self._pieces(rendered, 0)
        if not pieces:
            return []
        parents, _ = parents_of(rendered.text, sections, labels, self._sizes, pieces, self._parent_size)
        return DocumentMaker(rendered, sections, labels, self._separator).make(parents, "parent")

    def _pieces(self, rendered: RenderedNote, body: int) -> tuple[list[Piece], list[Section], Labels]:
        text = rendered.text
        labels = labels_of(rendered)
        sections = sections_of(rendered, body, labels)
        if not sections[-1].blocks:
            return [], sections, labels
        cutter = Cutter(text, self._sizes)
        pieces = pack(sections, labels, cutter)
        self._add_overlaps(cutter, sections, labels, pieces)
        return pieces, sections, labels

    @staticmethod
    def _add_overlaps(cutter: Cutter, sections: list[Section], labels: Labels, pieces: list[Piece]) -> None:
        at = 0
        for previous, piece in pairwise(pieces):
            while at + 1 < len(sections) and sections[at + 1].start <= piece.start:
                at += 1
            section = sections[at]
            if section.blocks and section.start < piece.start and not labels.crosses(previous.start, piece.end):
                start = overlap_start(cutter, section.blocks, previous, piece)
                piece.overlap = piece.start - max(start, section.start)


def _check_size(name: str, size: object, *, least: int) -> None:
    """Raise ValueError unless ``size`` is an integer of at least ``least``."""
    if not isinstance(size, int) or isinstance(size, bool) or size < least:
        raise ValueError(f"{name} must be an integer of at least {least}, not {size!r}")


def _as_note(text: str, metadata: dict[Any, Any]) -> RenderedNote:
    """Return a text with its metadata as a note that embeds nothing."""
    source = metadata.get("source")
    path = str(source) if source is not None else ""
    own = {key: value for key, value in metadata.items() if key != "source"}
    return RenderedNote(path, text, own, (Segment(0, path, 1),), permissions=_permissions_in(own))


def _permissions_in(metadata: dict[Any, Any]) -> Permissions:
    """Return the permissions that a note's metadata states, or a chunk's, if one is split again."""
    sets = metadata.get("permissions")
    if isinstance(sets, (list, tuple)) and all(isinstance(each, str) and each.startswith('["') for each in sets):
        others = {key: value for key, value in metadata.items() if key != "permissions"}
        return merge_permissions(permissions_in(others), permissions_from_json(sets))
    return permissions_in(metadata)
