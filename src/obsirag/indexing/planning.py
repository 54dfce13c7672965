"""What a run would do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from obsirag.catalogue import Catalogue, cached_hashes, vector_ids_of
from obsirag.indexing.changes import Changes
from obsirag.indexing.deletions import are_too_many
from obsirag.indexing.examining import Finding
from obsirag.indexing.outcome import Outcome
from obsirag.records import Diagnostic

__all__ = ["SyncPlan", "plan_of"]


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What a run of the indexer would find and do, by vault-relative path.

    Args:
        added: Notes that are not in the index.
        changed: Notes whose rendered text or metadata changed, by their own file or by one they embed.
        renamed: Old and new path of notes that moved with their content unchanged.
        unchanged: Notes that need nothing.
        deleted: Notes that are gone and would leave the index.
        failed: Why a note cannot be read or prepared.
        to_embed: Number of texts that would be embedded: those whose vectors are not cached.
        needs_consent: Whether so many notes would be deleted that the run has to be told they may.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    unchanged: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    failed: tuple[Diagnostic, ...] = ()
    to_embed: int = 0
    needs_consent: bool = False


def plan_of(changes: Changes, findings: Iterable[Finding], catalogue: Catalogue, model_id: str) -> SyncPlan:
    """Return what a run with these changes would do; it looks at the same notes in the same way, and writes nothing.

    Args:
        changes: How the vault differs from the catalogue.
        findings: What each note to look at needs, in their order.
        catalogue: The catalogue.
        model_id: The embedding model, by which vectors are cached.
    """
    outcome = Outcome(changes)
    contents: set[str] = set()
    for path, finding in zip(changes.work(), findings, strict=True):
        if finding.failure is not None:
            outcome.failed.append(finding.failure)
        elif finding.record is not None:
            with catalogue.reading() as connection:
                outcome.published([finding.record], {path: vector_ids_of(connection, path)})
            contents.update(chunk.content_hash for chunk in finding.record.chunks)
    with catalogue.reading() as connection:
        missing = contents - cached_hashes(connection, model_id, contents)
    report = outcome.report(0, len(missing))
    return SyncPlan(
        report.added,
        report.changed,
        report.renamed,
        report.unchanged,
        report.deleted,
        report.failed,
        report.embedded,
        are_too_many(changes),
    )
