"""Indexing again whenever the vault changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsirag.components.index import build_indexing_parts, index_vault
from obsirag.components.loaders import open_vault
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import ObsiragError, VaultError

if TYPE_CHECKING:
    from obsirag.records import IndexReport
    from obsirag.vault import Vault

__all__ = ["watch_vault"]

Progress = Callable[[int, int, str], None]

_MOST_PATIENCE = 10
"""After so many looks in a row at a vault that is being changed, it is indexed all the same."""

_FAULTS_OF_SERVICES = {"embedding-failed", "store-failed"}
"""Failures that may go away without a change of the note."""

_Snapshot = tuple[object, ...]


def watch_vault(
    config: RagConfig,
    *,
    on_report: Callable[[IndexReport], None],
    on_error: Callable[[ObsiragError], None],
    components: Components | None = None,
    progress: Progress | None = None,
    interval: float = 2.0,
    retry_after: float = 30.0,
    stop: threading.Event | None = None,
) -> None:
    """Index the vault, and again whenever it has changed, until told to stop.

    The vault is looked at every ``interval`` seconds, by the walk that indexing takes: file names, sizes and times. It
    is indexed when two looks in a row show the same. The index is locked only while it is written.

    Args:
        config: The configuration.
        on_report: Called after each run.
        on_error: Called with what ended a run; the next one is tried after ``retry_after`` seconds.
        components: Ready parts, instead of those that the configuration describes.
        progress: Called as ``index_vault`` calls it.
        interval: Seconds between two looks.
        retry_after: Seconds after which a run is tried again that a service or the vault let down.
        stop: Ends the watch when it is set.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
    """
    parts = build_indexing_parts(config, components)
    stopping = stop or threading.Event()
    watch = _Watch(retry_after)
    while not stopping.is_set():
        if watch.is_due(_look_at(config, parts)):
            try:
                report = index_vault(config, components=parts, progress=progress)
            except ObsiragError as error:
                watch.failed()
                on_error(error)
            else:
                watch.indexed(report)
                on_report(report)
        stopping.wait(interval)


@dataclass(slots=True)
class _Watch:
    """Decides when to index."""

    retry_after: float
    indexed_as: _Snapshot | None = None
    seen: _Snapshot | None = None
    unrest: int = 0
    not_before: float = 0.0

    def is_due(self, now: _Snapshot) -> bool:
        settled = self.seen is None or self.seen == now
        self.seen = now
        if now == self.indexed_as:
            self.unrest = 0
            return False
        self.unrest += 1
        return (settled or self.unrest >= _MOST_PATIENCE) and time.monotonic() >= self.not_before

    def indexed(self, report: IndexReport) -> None:
        """Note that the vault was indexed as it was seen last, or in a later state, which the next look shows."""
        if any(each.code in _FAULTS_OF_SERVICES for each in report.failed):
            self.failed()
        else:
            self.indexed_as, self.unrest, self.not_before = self.seen, 0, 0.0

    def failed(self) -> None:
        self.indexed_as, self.unrest = None, 0
        self.not_before = time.monotonic() + self.retry_after


def _look_at(config: RagConfig, parts: Components) -> _Snapshot:
    """Return what tells whether a vault has changed; a vault that is gone looks like nothing else."""
    try:
        vault = open_vault(config, parts)
        return tuple(_state_of(vault, path) for path in vault.paths()), tuple(vault.attachments())
    except VaultError:
        return ()


def _state_of(vault: Vault, path: str) -> tuple[object, ...]:
    try:
        status = vault.stat(path)
    except (OSError, VaultError):
        return (path,)
    return path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
