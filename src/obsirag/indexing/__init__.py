"""From a vault to the catalogue and the vector store."""

from obsirag.indexing.dropping import check_is_index, drop
from obsirag.indexing.engine import Engine, LocalEngine
from obsirag.indexing.indexer import Indexer
from obsirag.indexing.lock import is_being_written, writer_lock
from obsirag.indexing.planning import SyncPlan
from obsirag.indexing.run import Run
from obsirag.indexing.stretches import split_note
from obsirag.indexing.sync import run_sync, sync

__all__ = [
    "Engine",
    "Indexer",
    "LocalEngine",
    "Run",
    "SyncPlan",
    "check_is_index",
    "drop",
    "is_being_written",
    "run_sync",
    "split_note",
    "sync",
    "writer_lock",
]
