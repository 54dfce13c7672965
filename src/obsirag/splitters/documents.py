"""Pieces made into documents with all their metadata."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any

from langchain_core.documents import Document

from obsirag.records import RenderedNote, permissions_to_json
from obsirag.splitters.bounds import shortened
from obsirag.splitters.code_blocks import code_blocks_of
from obsirag.splitters.mentions import Mentions
from obsirag.splitters.own_metadata import own_metadata
from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels
from obsirag.splitters.sections import Section
from obsirag.splitters.sources import Sources
from obsirag.text import word_count

__all__ = ["DocumentMaker"]


class DocumentMaker:
    """Makes the documents of one note.

    What their metadata repeat of the note is bounded, so that they grow with its length only: of headings and titles
    the first 300 characters, of the note's tags the first 100 (beside those in the chunk's own text), of its own fields
    those that fit 10,000 characters of JSON together.

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
        self._starts = [section.start for section in self._sections]
        self._sources = Sources(rendered)
        self._code = code_blocks_of(self._text, self._sections)
        self._code_ends = [end for _, end, _ in self._code]
        self._own = own_metadata(rendered.metadata)
        self._file_name = rendered.path.rpartition("/")[2]
        self._title = self._find_title()
        self._mentions = Mentions(
            self._text,
            [block for section in self._sections for block in section.blocks],
            rendered.metadata.get("tags"),
            rendered.metadata.get("links"),
        )
        self._paths: dict[tuple[str, ...], str] = {}

    def section_at(self, position: int) -> int:
        """Return the index, among the sections with text, of the one that holds ``position``."""
        return max(0, bisect_right(self._starts, position) - 1)

    def make(self, pieces: Sequence[Piece], kind: str = "chunk") -> list[Document]:
        """Return a document for each of ``pieces``.

        Args:
            pieces: All pieces of the note, in order.
            kind: ``chunk`` or ``parent``; ids of different kinds never coincide.
        """
        contents = [piece.content(self._text) for piece in pieces]
        hashes = list(map(_hash, contents))
        ids = _ids(kind, self._rendered.path, hashes)
        linked: dict[int, list[str]] = {}
        for piece, identity in zip(pieces, ids, strict=True):
            if piece.link >= 0:
                linked.setdefault(piece.link, []).append(identity)
        documents = []
        for index, (piece, content, content_hash, identity) in enumerate(
            zip(pieces, contents, hashes, ids, strict=True)
        ):
            metadata = self._metadata(piece, content_hash)
            metadata["chunk_index"] = index
            metadata["chunk_count"] = len(pieces)
            metadata["chunk_id"] = identity
            metadata["linked_chunk_ids"] = [other for other in linked.get(piece.link, ()) if other != identity]
            documents.append(Document(page_content=content, metadata=metadata, id=identity))
        return documents

    def ids(self, pieces: Sequence[Piece], kind: str = "chunk") -> list[str]:
        """Return the ids of ``pieces``, as ``make`` gives them."""
        return _ids(kind, self._rendered.path, [_hash(piece.content(self._text)) for piece in pieces])

    def _metadata(self, piece: Piece, content_hash: str) -> dict[str, Any]:
        text, start, end = self._text, piece.start, piece.end
        own_text = text[start:end]
        first, last = self.section_at(start), self.section_at(end - 1)
        headings = list(self._sections[first].path)
        paths = dict.fromkeys(section.path for section in self._sections[first : last + 1])
        start_line, end_line, source_spans = self._sources.of(start - piece.overlap, end)
        languages = self._languages(start - piece.overlap, end)
        return {
            **self._own,
            "source": self._rendered.path,
            "title": self._title,
            "file_name": self._file_name,
            "headings": headings,
            "hierarchy_path": self._separator.join(headings),
            "sections": [self._path_json(path) for path in paths],
            "start_index": start - piece.overlap,
            "end_index": end,
            "start_line": start_line,
            "end_line": end_line,
            "source_spans": source_spans,
            "is_partial": piece.partial,
            "overlap": piece.overlap,
            "context_before": piece.before,
            "context_after": piece.after,
            "has_code": languages is not None,
            "code_languages": languages or [],
            "word_count": word_count(own_text),
            "char_count": len(own_text),
            "tags": self._mentions.tags(start - piece.overlap, end),
            "links": self._mentions.links(start, end),
            "content_hash": content_hash,
            "permissions": permissions_to_json(self._labels.at(start)),
        }

    def _path_json(self, path: tuple[str, ...]) -> str:
        if path not in self._paths:
            self._paths[path] = f"[{', '.join(map(encode_basestring, path))}]"  # JSON, as `json.dumps` writes it
        return self._paths[path]

    def _languages(self, start: int, end: int) -> list[str] | None:
        """Return the languages of the code in ``text[start:end]``, None if there is no code."""
        index = bisect_right(self._code_ends, start)
        found: dict[str, None] | None = None
        while index < len(self._code) and self._code[index][0] < end:
            found = {} if found is None else found
            if self._code[index][2]:
                found[self._code[index][2]] = None
            index += 1
        return None if found is None else list(found)

    def _find_title(self) -> str:
        given = self._rendered.metadata.get("title")
        if isinstance(given, str) and given.strip():
            return shortened(given.strip())
        own = self._rendered.permissions
        embeds = [(embed.start, embed.end) for embed in self._rendered.embeds]
        for section in self._sections:
            heading = section.blocks[0]
            if heading.kind == "heading" and heading.level == 1 and section.path and section.path[-1]:
                inside = bisect_left(embeds, (heading.start + 1, 0))
                embedded = any(start <= heading.start < end for start, end in embeds[:inside])
                if not embedded and self._labels.at(heading.start) == own:
                    return section.path[-1]
        stem, _, ending = self._file_name.rpartition(".")
        return stem if stem and ending else self._file_name


def _hash(content: str) -> str:
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _ids(kind: str, source: str, hashes: Sequence[str]) -> list[str]:
    """Return an id for each hash of a content: of the source, the content, and its number among equal ones."""
    seen: dict[str, int] = {}
    ids = []
    for content_hash in hashes:
        ordinal = seen.get(content_hash, 0)
        seen[content_hash] = ordinal + 1
        ids.append(_hash(f"{kind}\0{source}\0{ordinal}\0{content_hash}")[:32])
    return ids
