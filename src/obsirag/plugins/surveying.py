"""What is known of all plugins that are installed, whatever the import of one of them does."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from typing import Literal, NamedTuple

from obsirag.errors import PluginError
from obsirag.plugins.declared import distribution_of, is_built_in, version_of
from obsirag.plugins.kinds import Kind
from obsirag.plugins.looking import look_at
from obsirag.plugins.probing import probe
from obsirag.plugins.registry import Registry

__all__ = ["PluginInfo", "PluginState", "survey"]

PluginState = Literal["ready", "denied", "missing extra", "failed", "too slow"]
"""``denied`` and, where it isn't known, ``too slow`` plugins are of no kind that is told."""


class PluginInfo(NamedTuple):
    """What is known of an installed plugin.

    Args:
        name: The name by which a configuration means it.
        distribution: Who declares it.
        version: The distribution's version; empty if it says none.
        module: What is imported.
        state: Whether it can be used.
        kinds: The kinds of parts that it makes.
        api_version: The version of the interface that it is made for, if it says one.
        cause: Why it cannot be used, or what to install for it; None if it is ready.
        seconds: How long its import took, beyond what was imported before; None if it wasn't imported.
    """

    name: str
    distribution: str
    version: str
    module: str
    state: PluginState
    kinds: tuple[Kind, ...] = ()
    api_version: int | None = None
    cause: str | None = None
    seconds: float | None = None


def survey(registry: Registry, *, time_limit: float = 10.0) -> list[PluginInfo]:
    """Return what is known of each plugin, in the order of their names.

    The built-in ones are imported here. Every other one is imported in a process of its own, which ends with it: it may
    hang, or bring the process down, and nothing of it stays here.

    Args:
        registry: The plugins.
        time_limit: Seconds after which such a process is stopped.
    """
    known = [_declared(registry, each) for each in registry.declared]
    pairs = list(zip(registry.declared, known, strict=True))
    strangers = [each for each, info in pairs if info.state == "ready" and not is_built_in(each)]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
        probed = iter(threads.map(lambda each: probe(each, time_limit), strangers))
        own = {each: look_at(registry, each) for each, info in pairs if info.state == "ready" and is_built_in(each)}
        return [
            info if info.state != "ready" else info._replace(**(own[each] if is_built_in(each) else next(probed)))
            for each, info in pairs
        ]


def _declared(registry: Registry, entry_point: EntryPoint) -> PluginInfo:
    """Return what is known of a plugin without importing it; ``ready`` means that nothing stands against that."""
    known = PluginInfo(
        entry_point.name, distribution_of(entry_point), version_of(entry_point), entry_point.value, "ready"
    )
    try:
        known = known._replace(name=registry.written(entry_point))
    except PluginError as error:
        return known._replace(state="failed", cause=str(error))
    refusal = registry.refusal(entry_point)
    return known if refusal is None else known._replace(state="denied", cause=refusal)
