"""The splitter for Obsidian notes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, Literal, Self, Unpack

from langchain_core.documents import Document

from obsirag.markdown import split_front_matter
from obsirag.records import (
    Permissions,
    RenderedNote,
    Segment,
    merge_permissions,
    permissions_from_json,
    permissions_in,
)
from obsirag.splitters.arguments import LangChainArguments, check_length, check_others, check_size, overlap_of
from obsirag.splitters.cutting import Cutter
from obsirag.splitters.document_splitting import DocumentSplitter, check_text
from obsirag.splitters.documents import DocumentMaker
from obsirag.splitters.overlapping import overlap_start
from obsirag.splitters.packing import pack
from obsirag.splitters.parents import parents_of
from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels, labels_of
from obsirag.splitters.sections import Section, sections_of
from obsirag.splitters.sizes import Sizes
from obsirag.splitters.token_lengths import huggingface_length, tiktoken_length
from obsirag.splitters.topic_sections import Division

__all__ = ["ObsidianSplitter"]


class ObsidianSplitter(DocumentSplitter):
    """Cuts notes along their headings and blocks; only what is itself too large is cut inside.

    It keeps no state between calls and may be shared by threads.

    Args:
        chunk_size: What a chunk should not pass, its overlap and repeated contexts included, in units of
            ``length_function``.
        chunk_overlap: How much of the text before a chunk repeats, where it goes on within a section: a length, or a
            share of ``chunk_size`` such as 0.1; kept below half of ``chunk_size``.
        length_function: The length of a text. It should not shrink when text is added.
        min_chunk_size: What sections are put together to reach; half of ``chunk_size`` if None.
        max_chunk_size: What no chunk passes; double ``chunk_size`` if None.
        heading_separator: What stands between the headings in ``hierarchy_path``.
        parent_chunk_size: What ``split_parents`` puts chunks together to; four times ``chunk_size`` if None.
        input_limit: A second limit that no chunk passes: what the embedding model reads. None if there is none.
        input_length: The length that ``input_limit`` refers to; ``length_function`` if None.
        others: Arguments of LangChain's splitters that change nothing here.

    Raises:
        ValueError: If a size is not an integer of at least 1, or the overlap neither one of at least 0 nor a share.
        TypeError: If a length is no function, the separator no string, or an argument of another splitter is given that
            cannot be followed.
    """

    def __init__(
        self,
        chunk_size: int = 1000,
        chunk_overlap: int | float = 50,
        length_function: Callable[[str], int] = len,
        *,
        min_chunk_size: int | None = None,
        max_chunk_size: int | None = None,
        heading_separator: str = "-",
        parent_chunk_size: int | None = None,
        input_limit: int | None = None,
        input_length: Callable[[str], int] | None = None,
        **others: Unpack[LangChainArguments],
    ) -> None:
        check_others(others, ObsidianSplitter)
        check_size("chunk_size", chunk_size, least=1)
        for name, size in (
            ("min_chunk_size", min_chunk_size),
            ("max_chunk_size", max_chunk_size),
            ("parent_chunk_size", parent_chunk_size),
            ("input_limit", input_limit),
        ):
            if size is not None:
                check_size(name, size, least=1)
        maximum = chunk_size * 2 if max_chunk_size is None else max_chunk_size
        chunk_size = min(chunk_size, maximum)
        overlap = overlap_of(chunk_overlap, chunk_size)
        check_length("length_function", length_function)
        if input_length is not None:
            check_length("input_length", input_length)
        if not isinstance(heading_separator, str):
            raise TypeError(f"heading_separator must be a string, not {heading_separator!r}")
        super().__init__(
            chunk_size=chunk_size, chunk_overlap=overlap, length_function=length_function, add_start_index=True
        )
        self._sizes = Sizes(
            chunk=chunk_size,
            minimum=min(chunk_size, max(1, chunk_size // 2) if min_chunk_size is None else min_chunk_size),
            maximum=maximum,
            overlap=overlap,
            length=length_function,
            input_limit=input_limit,
            input_length=length_function if input_length is None else input_length,
        )
        self._separator = heading_separator
        self._parent_size = chunk_size * 4 if parent_chunk_size is None else parent_chunk_size

    @property
    def chunk_size(self) -> int:
        """What a chunk should not pass, in units of ``length_function``."""
        return self._sizes.chunk

    @property
    def max_chunk_size(self) -> int:
        """What no chunk passes, in units of ``length_function``."""
        return self._sizes.maximum

    @property
    def length_function(self) -> Callable[[str], int]:
        """The length of a text."""
        return self._sizes.length

    def split_text(self, text: str) -> list[str]:
        """Return the chunks of a note's text; front matter at its start lies outside all of them.

        Raises:
            TypeError: If it is no string.
        """
        check_text(text)
        pieces, _, _ = self._pieces(_as_note(text, {}), split_front_matter(text)[1], self._sizes.remembering())
        return [piece.content(text) for piece in pieces]

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | AbstractSet[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = (),
        **kwargs: Any,
    ) -> Self:
        """Return a splitter whose sizes are tokens, as tiktoken counts them.

        Args:
            encoding_name: The encoding.
            model_name: A model, whose encoding is taken instead.
            allowed_special: Special marks that count as one token.
            disallowed_special: Special marks that are an error where a note holds them. None is, by default: a note
                about ``<|endoftext|>`` is text like any other.
            kwargs: The splitter's other arguments.

        Raises:
            ImportError: If tiktoken is not installed.
        """
        length = tiktoken_length(encoding_name, model_name, allowed_special, disallowed_special)
        return cls(length_function=length, **kwargs)

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> Self:
        """Return a splitter whose sizes are tokens, marks at a text's start and end not counted.

        Args:
            tokenizer: A tokenizer of ``transformers``, or of ``tokenizers``, of which a copy is taken that doesn't
                truncate.
            kwargs: The splitter's other arguments.

        Raises:
            TypeError: If it is neither.
        """
        return cls(length_function=huggingface_length(tokenizer), **kwargs)

    def split_note(self, rendered: RenderedNote) -> list[Document]:
        """Return the chunks of a rendered note, which know its embeds, sources and labels.

        Args:
            rendered: The note; all offsets refer to its text.
        """
        return self._chunks(rendered, 0)

    def _cut(self, text: str, metadata: dict[Any, Any]) -> list[Document]:
        return self._chunks(_as_note(text, metadata), split_front_matter(text)[1])

    def _chunks(self, rendered: RenderedNote, body: int) -> list[Document]:
        sizes = self._sizes.remembering()
        pieces, sections, labels = self._pieces(rendered, body, sizes)
        if not pieces:
            return []
        maker = DocumentMaker(rendered, sections, labels, self._separator)
        parents, parent_of = parents_of(rendered.text, sections, labels, sizes, pieces, self._parent_size)
        parent_ids = maker.ids(parents, "parent")
        return maker.make(pieces, parent_ids=[parent_ids[parent] for parent in parent_of])

    def split_parents(self, rendered: RenderedNote) -> list[Document]:
        """Return the larger sections of a rendered note: the documents whose ids its chunks carry as ``parent_id``.

        Args:
            rendered: The note.
        """
        sizes = self._sizes.remembering()
        pieces, sections, labels = self._pieces(rendered, 0, sizes)
        if not pieces:
            return []
        parents, _ = parents_of(rendered.text, sections, labels, sizes, pieces, self._parent_size)
        return DocumentMaker(rendered, sections, labels, self._separator).make(parents, "parent")

    def _pieces(self, rendered: RenderedNote, body: int, sizes: Sizes) -> tuple[list[Piece], list[Section], Labels]:
        labels = labels_of(rendered)
        sections = sections_of(rendered, body, labels)
        if not sections[-1].blocks:
            return [], sections, labels
        cutter = Cutter(rendered.text, sizes)
        sections, torn = self._divide(sections, labels, cutter)
        pieces = pack(sections, labels, cutter)
        for piece in pieces if torn else ():
            piece.partial = piece.partial or piece.start in torn or piece.end in torn
        _add_overlaps(cutter, sections, labels, pieces)
        return pieces, sections, labels

    def _divide(self, sections: list[Section], labels: Labels, cutter: Cutter) -> Division:  # noqa: ARG002
        """Return the sections as they are packed, for splitters that know more than what the headings say."""
        return Division(sections, frozenset())


def _add_overlaps(cutter: Cutter, sections: list[Section], labels: Labels, pieces: list[Piece]) -> None:
    at = 0
    for previous, piece in pairwise(pieces):
        while at + 1 < len(sections) and sections[at + 1].start <= piece.start:
            at += 1
        section = sections[at]
        if section.blocks and section.start < piece.start and not labels.crosses(previous.start, piece.end):
            start = overlap_start(cutter, section.blocks, previous, piece)
            piece.overlap = piece.start - max(start, section.start)


def _as_note(text: str, metadata: dict[Any, Any]) -> RenderedNote:
    """Return a text with its metadata as a note that embeds nothing."""
    source = metadata.get("source")
    path = str(source) if source is not None else ""
    own = {key: value for key, value in metadata.items() if key != "source"}
    if "links" in own and "chunk_id" not in own:  # not those that a chunk has: a field of somebody else's
        own["note.links"] = own["links"]
    return RenderedNote(path, text, own, (Segment(0, path, 1),), permissions=_permissions_in(own))


def _permissions_in(metadata: dict[Any, Any]) -> Permissions:
    """Return the permissions that a note's metadata states, or a chunk's, if one is split again."""
    sets = metadata.get("permissions")
    if isinstance(sets, (list, tuple)) and all(isinstance(each, str) and each.startswith('["') for each in sets):
        others = {key: value for key, value in metadata.items() if key != "permissions"}
        return merge_permissions(permissions_in(others), permissions_from_json(sets))
    return permissions_in(metadata)
