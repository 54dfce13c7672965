"""What has become of each note in a run, and the report of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from obsirag.catalogue import NoteRecord
from obsirag.indexing.changes import Changes
from obsirag.records import Diagnostic, IndexReport

__all__ = ["Outcome"]


class Outcome:
    """Collects what happened.

    Args:
        changes: What the run set out with.
    """

    def __init__(self, changes: Changes) -> None:
        self.failed: list[Diagnostic] = list(changes.failed)
        self.diagnostics: list[Diagnostic] = []
        self._changes = changes
        self._added: list[str] = []
        self._changed: list[str] = []
        self._renamed: list[tuple[str, str]] = []

    def fail(self, path: str, code: str, message: str) -> None:
        """Note that a note could not be indexed."""
        self.failed.append(Diagnostic(path, 0, code, message))

    def published(self, records: Sequence[NoteRecord], before: Mapping[str, Sequence[str]]) -> None:
        """Note that new versions are visible.

        Args:
            records: The new versions.
            before: The vector ids of the versions that they replaced.
        """
        for record in records:
            known = self._changes.known.get(record.path)
            if record.path in self._changes.renamed:
                self._renamed.append((self._changes.renamed[record.path], record.path))
            elif known is None:
                self._added.append(record.path)
            elif known.render_hash != record.render_hash or list(before[record.path]) != [
                chunk.vector_id for chunk in record.chunks
            ]:
                self._changed.append(record.path)

    def report(self, chunks: int, embedded: int) -> IndexReport:
        """Return the report.

        Args:
            chunks: Number of chunks in the index.
            embedded: Number of texts that were embedded.
        """
        failed = {diagnostic.path for diagnostic in self.failed}
        failed_renames = {old for new, old in self._changes.renamed.items() if new in failed}
        left = {old for old, _ in self._renamed}
        settled = failed | set(self._changed) | self._changes.deleted
        return IndexReport(
            added=tuple(sorted(self._added)),
            changed=tuple(sorted(self._changed)),
            renamed=tuple(sorted(self._renamed)),
            unchanged=tuple(sorted(self._changes.paths - settled)),
            deleted=tuple(sorted((self._changes.deleted - left) | failed_renames)),
            failed=tuple(sorted(self.failed)),
            diagnostics=tuple(dict.fromkeys(self.diagnostics)),
            chunks=chunks,
            embedded=embedded,
        )
