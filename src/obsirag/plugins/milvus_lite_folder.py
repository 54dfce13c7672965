"""Milvus Lite in this process: a folder that one process at a time can use, so that nobody holds it for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from milvus_lite.adapter.grpc.server import start_server_in_thread
from milvus_lite.exceptions import DataDirLockedError
from pymilvus import MilvusClient

from obsirag.errors import ServiceError

__all__ = ["LiteFolder", "lite_folder"]

_IDLE = 1.0
"""Seconds after which a folder that nobody uses is let go; opening it anew takes a tenth of that."""

_WAIT = 10.0
"""Seconds to wait for another process to let it go."""

_PAUSE = 0.05
_GRACE = 2.0


class LiteFolder:
    """A folder of Milvus Lite: opened when it is needed, and closed soon after.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._users = 0
        self._running: tuple[Any, Any, MilvusClient] | None = None
        self._timer: threading.Timer | None = None

    @contextmanager
    def client(self) -> Iterator[MilvusClient]:
        """Lend a client; the folder stays open as long as anybody has one.

        Raises:
            ServiceError: If another process doesn't let go of the folder, or it cannot be opened.
        """
        with self._lock:
            self._cancel()
            if self._running is None:
                self._running = self._started()
            client = self._running[2]
            self._users += 1
        try:
            yield client
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._timer = threading.Timer(_IDLE, self.close)
                    self._timer.daemon = True
                    self._timer.start()

    def close(self) -> None:
        """Let go of the folder, unless somebody uses it."""
        with self._lock:
            if self._users or self._running is None:
                return
            self._cancel()
            server, database, client = self._running
            self._running = None
            with suppress(Exception):  # the server it belongs to goes anyway
                client.close()
            server.stop(grace=_GRACE).wait()
            database.close()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _started(self) -> tuple[Any, Any, MilvusClient]:
        self._folder.mkdir(parents=True, exist_ok=True)
        deadline = time.monotonic() + _WAIT
        while True:
            try:
                server, database, port = start_server_in_thread(str(self._folder))
                break
            except DataDirLockedError as error:
                if time.monotonic() > deadline:
                    raise ServiceError(
                        f"Another process uses Milvus Lite's folder {self._folder}, which takes one at a time. Wait "
                        "for it, or run `milvus-lite server` over the folder and set `uri` to its address."
                    ) from error
                time.sleep(_PAUSE)
        return server, database, MilvusClient(f"http://127.0.0.1:{port}")


_folders: dict[str, LiteFolder] = {}
_folders_lock = threading.Lock()


def lite_folder(folder: Path) -> LiteFolder:
    """Return what opens a folder: one for all in this process, as its lock is the process's."""
    with _folders_lock:
        return _folders.setdefault(str(folder.resolve()), LiteFolder(folder))
