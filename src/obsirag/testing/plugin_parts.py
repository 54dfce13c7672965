"""Conformance classes for the parts that installed plugins make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from obsirag.errors import ConfigError
from obsirag.plugins import Registry
from obsirag.testing.conformance import Conformance
from obsirag.testing.kinds import KITS, kit_of

__all__ = ["choose_kind", "kit_for_plugin"]


def choose_kind(plugins: Registry, name: str, kind: str | None) -> str:
    """Return the kind of part of a plugin that is to be checked.

    Args:
        plugins: Where plugins are looked up.
        name: The plugin.
        kind: The kind; None if the plugin makes one only.

    Raises:
        ConfigError: If it makes none that can be checked, or several and none was named.
        PluginError: If the plugin cannot be loaded, or makes no part of that kind.
    """
    if kind is not None:
        kit_of(kind)  # which knows a better name for a wrong one
        plugins.require(kind, name)  # type: ignore[arg-type]
        return kind
    kinds = [each for each in plugins.load(name).kinds if each in KITS]
    if len(kinds) == 1:
        return kinds[0]
    makes = ", ".join(kinds) or "nothing that there are checks for"
    raise ConfigError(f"{plugins.load(name)} makes {makes}" + ("; say which with --kind" if kinds else ""))


def kit_for_plugin(
    plugins: Registry, kind: str, name: str, options: dict[str, Any], *, files: Sequence[Path] = ()
) -> type[Conformance]:
    """Return the conformance class of a part that a plugin makes.

    Args:
        plugins: Where plugins are looked up.
        kind: The kind of part.
        name: The plugin.
        options: The part's options, with no ``{env: …}`` left in them.
        files: What a loader is to read.

    Raises:
        ConfigError: If a loader gets no files.
    """
    if kind == "loader" and not files:
        raise ConfigError("a loader needs files to read, one at least for each of its suffixes: give them with --file")
    members: dict[str, Any] = {
        "make": _makers(plugins, name, options).get(kind, _plain_maker(plugins, kind, name, options))
    }
    if kind == "nodes":
        members["options"] = options
    if files:
        members["files"] = lambda _, __: files
    return type(name, (kit_of(kind),), members)


def _plain_maker(plugins: Registry, kind: Any, name: str, options: dict[str, Any]) -> Callable[[object], Any]:
    return lambda _: plugins.build(kind, name, dict(options))


def _makers(plugins: Registry, name: str, options: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return how parts are made that need more than options, or are several."""
    return {
        "vector_store": lambda _, embeddings, folder: plugins.build(
            "vector_store", name, dict(options), embeddings=embeddings, folder=folder
        ),
        "keyword_index": lambda _, folder: plugins.build("keyword_index", name, dict(options), folder=folder),
        "cleaner": lambda _: plugins.build_all("cleaner", name, dict(options)),
        "nodes": lambda _: plugins.load(name).call("nodes"),
    }
