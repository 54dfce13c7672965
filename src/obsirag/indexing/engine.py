"""Where that part of a run is done which needs neither the catalogue nor the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from langchain_core.embeddings import Embeddings

from obsirag.indexing.changes import Look
from obsirag.indexing.examining import Examiner, Finding

__all__ = ["Engine", "LocalEngine"]


class Engine(Protocol):
    """Reads and makes notes, and embeds texts. Whatever it does may be done twice, or in vain."""

    def examine(self, examiner: Examiner, looks: Iterable[Look]) -> Iterator[Finding]:
        """Yield what each note needs, in order; notes may be looked at ahead, but not without bound.

        Args:
            examiner: Finds out what a note needs, in this process.
            looks: The notes.
        """

    def model(self, embeddings: Embeddings) -> Embeddings:
        """Return what is to be asked for vectors.

        Args:
            embeddings: The model in this process.
        """


class LocalEngine:
    """Does all in this process, each thing when it is wanted."""

    def examine(self, examiner: Examiner, looks: Iterable[Look]) -> Iterator[Finding]:
        """Look at each note when its finding is taken."""
        return map(examiner.examine, looks)

    def model(self, embeddings: Embeddings) -> Embeddings:
        """Return the model itself."""
        return embeddings
