"""The way to Milvus, and what goes wrong on it in the project's own words."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from grpc import RpcError
from pymilvus import MilvusClient, Status
from pymilvus.exceptions import MilvusException

from obsirag.errors import ServiceError
from obsirag.plugins.milvus_options import MilvusOptions

__all__ = ["MilvusConnection"]

_CONNECT = 5.0
"""Seconds to reach a server."""

_CHANNEL = {"grpc.use_local_subchannel_pool": 1}
"""A connection of our own: one that is shared would wait longer and longer for a server that is back already."""


class MilvusConnection:
    """Lends a client of a server, or of Milvus Lite over a folder.

    Args:
        options: Where it is, and how patiently it is asked.
        folder: The folder of Milvus Lite, where the options name no server.
    """

    def __init__(self, options: MilvusOptions, folder: Path) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._client: MilvusClient | None = None
        self._lite: Any = None
        if options.address is None:
            from obsirag.plugins.milvus_lite_folder import lite_folder

            folder.mkdir(parents=True, exist_ok=True)
            self._lite = lite_folder(folder)
        self.name = f"Milvus at {options.shown_address}" if options.address else f"Milvus Lite in {folder}"
        """For messages."""

    @property
    def is_embedded(self) -> bool:
        """Whether it runs in this process."""
        return self._lite is not None

    @contextmanager
    def client(self) -> Iterator[MilvusClient]:
        """Lend a client.

        Raises:
            ServiceError: If Milvus cannot be reached, or what was asked of it failed. Its own message may quote what it
                was sent, and is not told.
        """
        try:
            if self._lite is not None:
                with self._lite.client() as client:
                    yield client
            else:
                yield self._remote()
        except MilvusException as error:
            if _is_unreachable(error):
                self._forget()
                raise ServiceError(f"{self.name} cannot be reached. Is it running?") from error
            raise ServiceError(f"{self.name} failed: {type(error).__name__} (code {error.code}).") from error
        except RpcError as error:
            self._forget()
            raise ServiceError(f"{self.name} cannot be reached: {type(error).__name__}.") from error

    def close(self) -> None:
        """Let go of Milvus Lite's folder, unless others in this process use it."""
        if self._lite is not None:
            self._lite.close()

    def _forget(self) -> None:
        """Let the next call connect anew."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # it is of no use either way
                client.close()

    def _remote(self) -> MilvusClient:
        with self._lock:
            if self._client is None:
                options = self._options
                self._client = MilvusClient(
                    options.address,
                    token=options.token.get_secret_value() if options.token else "",
                    db_name=options.database or "",
                    timeout=min(_CONNECT, options.timeout),
                    grpc_options=_CHANNEL,
                )
            return self._client


def _is_unreachable(error: MilvusException) -> bool:
    return error.code == Status.CONNECT_FAILED or "connect" in str(error.message).lower()
