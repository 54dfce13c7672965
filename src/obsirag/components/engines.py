"""The engine that the configuration names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from obsirag.indexing import Engine

__all__ = ["open_engine"]


@contextmanager
def open_engine(config: RagConfig, parts: Components, calls: int) -> Iterator[Engine]:
    """Lend what notes are read, made and embedded with.

    Args:
        config: The configuration.
        parts: The parts in this process.
        calls: Most calls to the embedding model at a time in a process.

    Raises:
        ConfigError: If ``offline`` forbids it.
        MissingExtraError: If it isn't installed.
    """
    if config.indexing.engine == "local":
        from obsirag.indexing import LocalEngine

        yield LocalEngine()
        return
    if config.offline and config.indexing.address is not None:
        raise ConfigError(
            "`offline` is set, but the machines of a Ray cluster would get the notes: remove `indexing.address`, so "
            "that the workers run on this machine, or `offline`"
        )
    if find_spec("ray") is None:
        raise MissingExtraError("indexing engine 'ray'", "ray")
    from obsirag.components.ray_engine import RayEngine

    with closing(RayEngine(config, parts, calls)) as engine:
        yield engine
