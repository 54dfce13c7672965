"""Files as the indexer sees them: their state, and whether it can be trusted."""

from __future__ import annotations

import hashlib
import os
import time

from obsirag.catalogue import FileState

__all__ = ["UNKNOWN_STATE", "file_hash", "file_state", "lasting_state"]

UNKNOWN_STATE = FileState(-1, -1, -1, -1)
"""A state that no file has: the file is read at the next run."""

_TICK_NS = 20_000_000
_COARSE_TICK_NS = 2_000_000_000


def file_state(status: os.stat_result) -> FileState:
    """Return the state of a file."""
    return FileState(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def file_hash(content: bytes) -> str:
    """Return the hash of what a file holds."""
    return hashlib.sha256(content).hexdigest()


def lasting_state(before: FileState, after: FileState) -> FileState:
    """Return the state to remember for a file that was read between ``before`` and ``after``.

    A file that was written while it was read, or so lately that another write would leave the same time stamps, gets
    the unknown state, so that the next run looks at its content.
    """
    written = max(before.mtime_ns, before.ctime_ns)
    # A file system that counts whole seconds shows itself by its zeros.
    tick = _COARSE_TICK_NS if before.mtime_ns % 1_000_000_000 == 0 and before.ctime_ns == before.mtime_ns else _TICK_NS
    if before != after or time.time_ns() - written < tick:
        return UNKNOWN_STATE
    return before
