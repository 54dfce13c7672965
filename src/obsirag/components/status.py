"""How an index stands: read from its catalogue alone, without its model, its store or its vault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from obsirag.config import RagConfig
from obsirag.errors import CatalogueError

if TYPE_CHECKING:
    from obsirag.catalogue import LastRun, NoteState

__all__ = ["IndexStatus", "read_status"]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How an index stands.

    Args:
        vault: The vault's folder, as configured.
        index: The index's folder.
        model: The embedding model that the index was made with; None for an empty index.
        dimensions: The length of its vectors; None for an empty index.
        chunks: Number of chunks.
        notes: What became of each note, sorted by path.
        last_run: What the last run did that came to its end; None if none did.
        is_being_written: Whether a run is at work just now.
        unfinished: What a run that died has left to do, by kind, with its number: ``stale_notes``,
            ``pending_vectors``, ``unfilled_store``, ``staged_vectors``. The next run does it.
    """

    vault: Path
    index: Path
    model: str | None
    dimensions: int | None
    chunks: int
    notes: Sequence[NoteState]
    last_run: LastRun | None
    is_being_written: bool
    unfinished: Mapping[str, int]

    def count(self, state: str) -> int:
        """Return how many notes are ``indexed``, ``skipped`` or ``failed``."""
        return sum(note.state == state for note in self.notes)


def read_status(config: RagConfig) -> IndexStatus:
    """Return how the index stands. Nothing is written, and no model is loaded.

    Args:
        config: The configuration.

    Raises:
        CatalogueError: If there is no index, or it cannot be read, or was written meanwhile.
    """
    from obsirag.catalogue import FILE_NAME, Catalogue, last_run, note_states, unfinished_business
    from obsirag.indexing import is_being_written

    if not (config.index / FILE_NAME).is_file():
        raise CatalogueError(
            f"There is no index in {config.index}. Index the vault first: index_vault, or `obsirag index`."
        )
    with Catalogue.open_read_only(config.index) as catalogue:
        dimensions = catalogue.meta("dimensions")
        with catalogue.reading() as connection:
            return IndexStatus(
                vault=config.vault,
                index=config.index,
                model=catalogue.model_id,
                dimensions=int(dimensions) if dimensions else None,
                chunks=catalogue.chunk_count(),
                notes=note_states(connection),
                last_run=last_run(connection),
                is_being_written=is_being_written(config.index),
                unfinished=unfinished_business(connection),
            )
