"""Files that are no notes, read as if they were: what a loader gives."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

__all__ = ["FilePart", "LoadedFile", "Loader"]


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of a file that people know by a name of its own.

    Args:
        start: Offset of its first character in the text.
        name: Its name, as a citation tells it: ``page 3``, ``sheet Budget``, ``slide 12``.
    """

    start: int
    name: str


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file as Markdown.

    Args:
        text: The text.
        metadata: What a note's front matter would say, such as ``title``.
        parts: Its parts, in order; empty for a file that has none.
        findings: What couldn't be read of it, in words.
    """

    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[FilePart, ...] = ()
    findings: tuple[str, ...] = ()


@runtime_checkable
class Loader(Protocol):
    """Reads files of some kinds; it may be asked from several threads."""

    @property
    def suffixes(self) -> Collection[str]:
        """The ends of the names of the files that it reads, in lower case and with their dot: ``.pdf``."""

    def load(self, path: Path) -> LoadedFile:
        """Return a file as Markdown.

        Args:
            path: The file.

        Raises:
            VaultError: If it cannot be read as what its name says; the message says why.
        """
