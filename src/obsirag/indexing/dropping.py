"""Removing an index, and nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from obsirag.catalogue import ANSWERS_FILE, FILE_NAME, Catalogue
from obsirag.errors import CatalogueError, ServiceError
from obsirag.indexing.lock import LOCK_NAME, writer_lock
from obsirag.indexing.store_files import PASSING
from obsirag.indexing.store_writer import StoreWriter
from obsirag.records import KeywordIndex
from obsirag.vault.walk import NOTE_SUFFIXES

__all__ = ["check_is_index", "drop"]

_TABLES = {"meta", "notes", "chunks", "embeddings", "pending_vectors"}
_NEEDLESS = "The vector store asked for embeddings to remove its vectors, which needs none."


class NoEmbeddings(Embeddings):
    """Stands where a store that is only emptied asks for a model."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:  # noqa: ARG002 - LangChain's
        """Refuse."""
        raise ServiceError(_NEEDLESS)

    def embed_query(self, text: str) -> list[float]:  # noqa: ARG002 - LangChain's
        """Refuse."""
        raise ServiceError(_NEEDLESS)


def check_is_index(folder: Path) -> None:
    """Make sure that a folder holds an index; nothing in it is touched.

    Raises:
        CatalogueError: If it doesn't.
    """
    if not (folder / FILE_NAME).is_file():
        raise CatalogueError(f"{folder} holds no index: there is no {FILE_NAME} in it. Nothing was removed.")
    with Catalogue.open_read_only(folder) as catalogue, catalogue.reading() as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if not names >= _TABLES:
        raise CatalogueError(f"{folder / FILE_NAME} is no catalogue of obsirag. Nothing was removed.")


def drop(
    folder: Path,
    open_store: Callable[[Embeddings], VectorStore],
    *,
    open_keywords: Callable[[], KeywordIndex | None] | None = None,
    wait: float = 60.0,
) -> list[str]:
    """Remove an index: its vectors, then its catalogue. What else lies in the folder stays.

    A run that dies on the way leaves an index that the next indexing fills again.

    Args:
        folder: The index folder.
        open_store: Opens the vector store; called only if that keeps its vectors elsewhere.
        open_keywords: Opens the keyword index likewise; None if there is none.
        wait: Seconds to wait for a run that is indexing.

    Returns:
        The names of what stays in the folder, sorted; the folder itself goes with the last of them.

    Raises:
        CatalogueError: If the folder holds no index, or a run that is indexing doesn't end.
        ServiceError: If the vector store or the keyword index fails.
    """
    check_is_index(folder)
    with Catalogue.open(folder, create=False) as catalogue, writer_lock(folder, wait):
        stores = StoreWriter(catalogue, open_store, NoEmbeddings(), "", 256, open_keywords=open_keywords)
        stores.empty()
        stores.close()
        for name in stores.files & {entry.name for entry in folder.iterdir()}:
            # What came into the folder while the store was opened looks like the store's; but no store has notes.
            if not _holds_notes(folder / name):
                _remove(folder / name)
    for name in (FILE_NAME, LOCK_NAME, ANSWERS_FILE):
        # A log that were left behind would be taken for that of the next file of this name.
        for file in (*(folder / f"{name}{ending}" for ending in PASSING), folder / name):
            file.unlink(missing_ok=True)
    left = sorted(entry.name for entry in folder.iterdir())
    if not left:
        with suppress(OSError):  # somebody stands in it, or has just put something there
            folder.rmdir()
    return left


def _holds_notes(entry: Path) -> bool:
    return any(name.lower().endswith(NOTE_SUFFIXES) for _, _, names in os.walk(entry) for name in names)


def _remove(entry: Path) -> None:
    if entry.is_symlink() or entry.is_file():
        entry.unlink()
    elif entry.is_dir():
        shutil.rmtree(entry)
