"""The notes' files as a vault holds them: what citations and leaks are judged by."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

from obsirag.records import Permissions, may_read
from obsirag.vault import Vault
from obsirag.vault.decoding import decode
from obsirag.vault.walk import NOTE_SUFFIXES

__all__ = ["NoteFiles"]

_LINE_END = re.compile(r"\r\n|\r|\n")


class NoteFiles:
    """The texts of a vault's notes, and who may read them, as they are now.

    Args:
        vault: The vault.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._lines: dict[str, list[str]] = {}

    @cached_property
    def permissions(self) -> dict[str, Permissions]:
        """Who may read each note, by its path."""
        return {path: self._vault.note(path).permissions for path in self._vault.paths()}

    def withheld_from(self, labels: Collection[str]) -> list[str]:
        """Return the paths of the notes that a caller with ``labels`` may not read."""
        return [path for path, permissions in self.permissions.items() if not may_read(permissions, labels)]

    def lines(self, path: str, start: int, end: int) -> list[str] | None:
        """Return lines of a note's file, 1-based, the last one included; None if they don't exist."""
        lines = self._all_lines(path)
        return lines[start - 1 : end] if 1 <= start <= end <= len(lines) else None

    def text(self, path: str) -> str:
        """Return the whole text of a note's file; empty if it cannot be read, or there is none."""
        return "\n".join(self._all_lines(path))

    def shown(self, path: str) -> str:
        """Return what a reader sees of a note, embeds filled in; empty if it cannot be read, or there is none."""
        return self._vault.render(path).text if path in self.permissions else ""

    def _all_lines(self, path: str) -> list[str]:
        if path not in self.permissions:
            return []
        if path not in self._lines:
            try:
                self._lines[path] = _LINE_END.split(self._written(path))
            except (OSError, UnicodeDecodeError):
                self._lines[path] = []
        return self._lines[path]

    def _written(self, path: str) -> str:
        if path.lower().endswith(NOTE_SUFFIXES):
            return decode(self._vault.read_bytes(path))
        note = self._vault.note(path)  # its lines are those of what a loader made of it
        return "\n" * (note.first_line - 1) + note.text
