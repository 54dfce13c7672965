"""Pieces made into documents with all their metadata: each field is worked out for all pieces of a note at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import repeat
from json.encoder import encode_basestring

from langchain_core.documents import Document

from obsirag.records import RenderedNote, permissions_to_json
from obsirag.splitters.bounds import LONGEST_SECTIONS, shortened
from obsirag.splitters.code_blocks import code_blocks_of, languages_in
from obsirag.splitters.mentions import Mentions
from obsirag.splitters.own_metadata import own_metadata
from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels
from obsirag.splitters.sections import Section
from obsirag.splitters.sources import Sources
from obsirag.text import word_count

__all__ = ["DocumentMaker"]

_Path = tuple[str, ...]


class DocumentMaker:
    """Makes the documents of one note.

    What their metadata repeat of the note is bounded, so that they grow with its length only: of headings and titles
    the first 300 characters, of the paths of a chunk's sections those that take 10,000 together, of the note's tags the
    first 100 (beside those in the chunk's own text), of its own fields those that fit 10,000 characters of JSON
    together.

    Args:
        rendered: The note.
        sections: Its sections.
        labels: Its permissions by offset.
        separator: What stands between headings in ``hierarchy_path``.
    """

    def __init__(self, rendered: RenderedNote, sections: Sequence[Section], labels: Labels, separator: str) -> None:
        self._rendered = rendered
        self._text = rendered.text
        self._labels = labels
        self._separator = separator
        self._sections = [section for section in sections if section.blocks]

    def make(
        self, pieces: Sequence[Piece], kind: str = "chunk", *, parent_ids: Iterable[str] | None = None
    ) -> list[Document]:
        """Return a document for each of ``pieces``.

        Args:
            pieces: All pieces of the note, in order.
            kind: ``chunk`` or ``parent``; ids of different kinds never coincide.
            parent_ids: The ids of the pieces' parents; None for pieces that are parents themselves.
        """
        text, source = self._text, self._rendered.path
        contents = [piece.content(text) for piece in pieces]
        hashes = _hashes(contents)
        ids = _ids(kind, source, hashes)
        own_spans = [(piece.start, piece.end) for piece in pieces]
        spans = [(piece.start - piece.overlap, piece.end) for piece in pieces]
        paths, sections = self._headings_of(pieces)
        places = Sources(self._rendered).of(spans)
        languages = languages_in(code_blocks_of(text, self._sections), spans)
        mentions = self._mentions()
        columns: dict[str, Iterable[object]] = {
            **{name: _repeated(value, len(pieces)) for name, value in own_metadata(self._rendered.metadata).items()},
            "source": repeat(source),
            "title": repeat(self._title()),
            "file_name": repeat(source.rpartition("/")[2]),
            "headings": map(list, paths),
            "hierarchy_path": map(self._separator.join, paths),
            "sections": sections,
            "start_index": [start for start, _ in spans],
            "end_index": [end for _, end in spans],
            "start_line": [first for first, _, _ in places],
            "end_line": [last for _, last, _ in places],
            "source_spans": [sources for _, _, sources in places],
            "is_partial": [piece.partial for piece in pieces],
            "overlap": [piece.overlap for piece in pieces],
            "context_before": [piece.before for piece in pieces],
            "context_after": [piece.after for piece in pieces],
            "has_code": [found is not None for found in languages],
            "code_languages": [found or [] for found in languages],
            "word_count": [word_count(text[start:end]) for start, end in own_spans],
            "char_count": [end - start for start, end in own_spans],
            "tags": mentions.tags(spans),
            "links": mentions.links(own_spans),
            "content_hash": hashes,
            "permissions": self._permissions(pieces),
            "chunk_index": range(len(pieces)),
            "chunk_count": repeat(len(pieces)),
            "chunk_id": ids,
            "linked_chunk_ids": _linked(pieces, ids),
        }
        if parent_ids is not None:
            columns["parent_id"] = parent_ids
        return [
            Document(page_content=content, metadata=dict(zip(columns, row, strict=True)), id=identity)
            for content, identity, row in zip(contents, ids, zip(*columns.values(), strict=False), strict=False)
        ]

    def ids(self, pieces: Sequence[Piece], kind: str = "chunk") -> list[str]:
        """Return the ids of ``pieces``, as ``make`` gives them."""
        return _ids(kind, self._rendered.path, _hashes([piece.content(self._text) for piece in pieces]))

    def _mentions(self) -> Mentions:
        blocks = [block for section in self._sections for block in section.blocks]
        fields = self._rendered.metadata
        return Mentions(self._text, blocks, fields.get("tags"), fields.get("links"))

    def _headings_of(self, pieces: Sequence[Piece]) -> tuple[list[_Path], list[list[str]]]:
        """Return for each piece the path at its start, and the paths of all its text, each once and as JSON."""
        sections = self._sections
        last, at = len(sections) - 1, 0
        starts: list[_Path] = []
        all_paths: list[list[str]] = []
        for piece in pieces:
            start, end = piece.start, piece.end
            while at < last and sections[at + 1].start <= start:
                at += 1
            path = sections[at].path
            starts.append(path)
            if at == last or sections[at + 1].start >= end:
                all_paths.append([_as_json(path)])
                continue
            paths = {path: None}
            further = at + 1
            while further <= last and sections[further].start < end:
                paths[sections[further].path] = None
                further += 1
            all_paths.append(_bounded([_as_json(path) for path in paths]))
        return starts, all_paths

    def _permissions(self, pieces: Sequence[Piece]) -> list[list[str]]:
        if not self._labels.borders:
            own = permissions_to_json(self._labels.at(0))
            return [own[:] for _ in pieces]
        return [permissions_to_json(self._labels.at(piece.start)) for piece in pieces]

    def _title(self) -> str:
        given = self._rendered.metadata.get("title")
        if isinstance(given, (str, int, float)) and not isinstance(given, bool) and str(given).strip():
            return shortened(str(given).strip())
        own = self._rendered.permissions
        embeds = [(embed.start, embed.end) for embed in self._rendered.embeds]
        for section in self._sections:
            heading = section.blocks[0]
            if heading.kind == "heading" and heading.level == 1 and section.path and section.path[-1]:
                inside = bisect_left(embeds, (heading.start + 1, 0))
                embedded = any(start <= heading.start < end for start, end in embeds[:inside])
                if not embedded and self._labels.at(heading.start) == own:
                    return section.path[-1]
        file_name = self._rendered.path.rpartition("/")[2]
        stem, _, ending = file_name.rpartition(".")
        return stem if stem and ending else file_name


def _bounded(paths: list[str]) -> list[str]:
    """Return the first of ``paths``, as many as take ``LONGEST_SECTIONS`` characters together, at least one."""
    room = LONGEST_SECTIONS
    for index, path in enumerate(paths):
        room -= len(path)
        if room < 0:
            return paths[: max(1, index)]
    return paths


def _as_json(path: _Path) -> str:
    return f"[{', '.join(map(encode_basestring, path))}]"  # as `json.dumps` writes it


def _repeated(value: object, count: int) -> Iterable[object]:
    """Return a note's own field for each of its chunks, no two of which share a list."""
    return [value[:] for _ in range(count)] if isinstance(value, list) else repeat(value)


def _hashes(contents: Sequence[str]) -> list[str]:
    return [sha256(content.encode("utf-8", "surrogatepass")).hexdigest() for content in contents]


def _ids(kind: str, source: str, hashes: Sequence[str]) -> list[str]:
    """Return an id for each hash of a content: of the source, the content, and its number among equal ones."""
    seen: dict[str, int] = {}
    named = []
    for content_hash in hashes:
        ordinal = seen.get(content_hash, 0)
        seen[content_hash] = ordinal + 1
        named.append(f"{kind}\0{source}\0{ordinal}\0{content_hash}")
    return [digest[:32] for digest in _hashes(named)]


def _linked(pieces: Sequence[Piece], ids: Sequence[str]) -> list[list[str]]:
    """Return for each piece the ids of the others with the same link."""
    linked: dict[int, list[str]] = {}
    for piece, identity in zip(pieces, ids, strict=True):
        if piece.link >= 0:
            linked.setdefault(piece.link, []).append(identity)
    return [
        [other for other in linked[piece.link] if other != identity] if piece.link >= 0 else []
        for piece, identity in zip(pieces, ids, strict=True)
    ]
