"""What a run of the indexer did."""

from __future__ import annotations

from dataclasses import dataclass

from obsirag.records.diagnostic import Diagnostic

__all__ = ["IndexReport"]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run of the indexer found and did, by vault-relative path.

    Args:
        added: Notes that were not in the index.
        changed: Notes whose rendered text or metadata changed, by their own file or by one they embed.
        renamed: Old and new path of notes that moved with their content unchanged.
        unchanged: Notes that needed nothing.
        deleted: Notes that are gone and left the index.
        failed: Why a note could not be read or indexed; what the index held of it before is kept.
        diagnostics: What was noticed in the notes that were read, e.g. missing embeds.
        chunks: Number of chunks in the index afterwards.
        embedded: Number of texts that were embedded in this run.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    unchanged: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    failed: tuple[Diagnostic, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    chunks: int = 0
    embedded: int = 0

    def __str__(self) -> str:
        counts = ", ".join(
            f"{len(getattr(self, name))} {name}"
            for name in ("added", "changed", "renamed", "unchanged", "deleted", "failed")
        )
        return f"{counts}; {self.chunks} chunks, {self.embedded} texts embedded"
