"""Small parts of the kinds of which none is built in, and what search finds."""

# ruff: noqa: A002 - the name that stores use

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from obsirag.errors import VaultError
from obsirag.records import FilePart, LoadedFile
from obsirag.retrievers import ScoringReranker, WebHit, matches
from obsirag.text import index_terms, query_terms

__all__ = ["HITS", "PAGES", "MemoryKeywords", "TextLoader", "WordReranker"]

HITS = [
    WebHit("https://a.example.org/1", "A", "The first page.", 0.9),
    WebHit("https://b.example.com/", "B", "The second page.", 0.5),
    WebHit("https://c.example.net/", "C", "The third page.", 0.1),
]
PAGES = {"https://a.example.org/1": "# A\n\nIts text.", "https://b.example.com/": "# B\n\nIts text."}


class WordReranker(ScoringReranker):
    """Scores by shared words."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        words = set(query.lower().split())
        return [float(len(words & set(text.lower().split()))) for text in texts]


class TextLoader:
    """Reads plain text; form feeds part its pages."""

    suffixes = (".txt",)

    def load(self, path: Path) -> LoadedFile:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise VaultError(f"{path.name} is no text") from error
        starts = [0, *(index + 1 for index, each in enumerate(text) if each == "\f")]
        parts = tuple(FilePart(start, f"page {number}") for number, start in enumerate(starts, 1))
        return LoadedFile(text, {"title": "A text"}, parts)


class MemoryKeywords:
    """An index of words in memory: as many points as words are shared."""

    persistent = False

    def __init__(self) -> None:
        self._texts: dict[str, tuple[list[str], dict[str, Any]]] = {}
        self._lock = Lock()

    def add(self, ids: Sequence[str], texts: Sequence[str], metadatas: Sequence[Mapping[str, Any]]) -> None:
        with self._lock:
            for each, text, metadata in zip(ids, texts, metadatas, strict=True):
                self._texts[each] = (index_terms(text), dict(metadata))

    def delete(self, ids: Iterable[str]) -> None:
        with self._lock:
            for each in ids:
                self._texts.pop(each, None)

    def search(self, query: str, limit: int, *, filter: Mapping[str, Any] | None = None) -> list[tuple[str, float]]:
        words = set(query_terms(query))
        with self._lock:
            texts = [*self._texts.items()]
        scored = [
            (each, float(len(words & set(terms)))) for each, (terms, metadata) in texts if matches(filter, metadata)
        ]
        return sorted((each for each in scored if each[1]), key=lambda each: -each[1])[:limit]

    def ids(self) -> list[str]:
        with self._lock:
            return [*self._texts]
