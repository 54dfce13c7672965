"""One loader for all kinds of files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from obsirag.loaders.kinds import IMAGE_SUFFIXES, TEXT_SUFFIXES
from obsirag.loaders.limits import Limits
from obsirag.loaders.workers import Workers
from obsirag.records import LoadedFile

__all__ = ["FileLoader"]


class FileLoader:
    """Reads PDF, Word, PowerPoint, Excel, HTML and CSV files, and images by OCR, in a process of its own.

    It may be used by several threads; each then has a process. They end with the loader.

    Args:
        limits: What a file may cost.
        ocr: Whether text in images is read: images themselves, and pages of PDF files that are nothing else.
        suffixes: Those that are read; by default all.
    """

    def __init__(
        self, limits: Limits | None = None, *, ocr: bool = False, suffixes: Collection[str] | None = None
    ) -> None:
        every = (*TEXT_SUFFIXES, *IMAGE_SUFFIXES) if ocr else TEXT_SUFFIXES
        self._suffixes = every if suffixes is None else tuple(each for each in every if each in suffixes)
        self._workers = Workers(limits or Limits(), ocr=ocr)

    @property
    def suffixes(self) -> Collection[str]:
        """The ends of the names of the files that are read."""
        return self._suffixes

    def load(self, path: Path) -> LoadedFile:
        """Return a file as Markdown.

        Args:
            path: The file.

        Raises:
            VaultError: If it cannot be read, or costs more than it may.
        """
        return self._workers.load(path)
