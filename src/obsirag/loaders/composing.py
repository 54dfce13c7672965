"""Blocks of Markdown put together, with the places of a file's parts."""

from __future__ import annotations

from collections.abc import Mapping

from obsirag.errors import VaultError
from obsirag.records import FilePart, LoadedFile

__all__ = ["Composer"]

_LONGEST_FIELD = 500
# What programs write where nobody gave a title.
_NO_TITLES = frozenset(
    (
        *("(anonymous)", "(unspecified)", "anonymous", "document", "powerpoint presentation", "powerpoint 演示文稿"),
        *("presentation", "unspecified", "untitled", "word document", "幻灯片 1", "无标题"),
    )
)
_PROGRAMS = frozenset(["(anonymous)", "(unspecified)", "anonymous", "openpyxl", "python-docx", "unknown"])


class Composer:
    """Puts blocks one below the other.

    Args:
        limit: How many characters the whole may have; what comes after is left out, with a finding.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._blocks: list[str] = []
        self._length = 0
        self._parts: list[FilePart] = []
        self._name = ""
        self.findings: list[str] = []
        self.is_full = False

    def begin(self, name: str) -> None:
        """Let a part begin with the next block; without a block it isn't told."""
        self._name = name

    def add(self, block: str) -> None:
        """Put a block below the others, unless it is blank."""
        block = block.strip("\n").rstrip()
        if not block.strip() or self.is_full:
            return
        if not self._blocks and block.startswith("---"):  # a rule; at the very beginning it would open front matter
            return
        start = self._length + (2 if self._blocks else 0)
        if start + len(block) > self._limit:
            self.is_full = True
            self.findings.append(f"only the first {start:,} characters are read; raise `characters`")
            return
        if self._name:
            self._parts.append(FilePart(start, self._name))
            self._name = ""
        self._blocks.append(block)
        self._length = start + len(block)

    def loaded(self, metadata: Mapping[str, object] | None = None) -> LoadedFile:
        """Return the whole.

        Args:
            metadata: What the file says of itself; its ``title`` and ``author`` are kept if they are any.

        Raises:
            VaultError: If there is no text.
        """
        if not self._blocks:
            reasons = f": {'; '.join(self.findings)}" if self.findings else ""
            raise VaultError(f"the file holds no text that could be read{reasons}")
        kept: dict[str, str] = {}
        for name, none in (("title", _NO_TITLES), ("author", _PROGRAMS)):
            value = (metadata or {}).get(name)
            line = " ".join(str(value).split())[:_LONGEST_FIELD] if isinstance(value, str) else ""
            if line and line.lower() not in none and not line.startswith("Microsoft Word - "):
                kept[name] = line
        return LoadedFile("\n\n".join(self._blocks) + "\n", kept, tuple(self._parts), tuple(self.findings))
