"""Which plugins a configuration lets be imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint

from obsirag.config import PluginOptions, nearest_names
from obsirag.plugins.declared import canonical, distribution_of, is_built_in

__all__ = ["refusal_of", "unknown_entries"]


def refusal_of(entry_point: EntryPoint, options: PluginOptions) -> str | None:
    """Return why a plugin may not be imported; None if it may."""
    denied = next((each for each in options.deny if _means(each, entry_point)), None)
    if denied is not None:
        return f"`plugins.deny` of the configuration names {denied!r}"
    if options.allow is None or is_built_in(entry_point):
        return None
    if any(_means(each, entry_point) for each in options.allow):
        return None
    return "`plugins.allow` of the configuration doesn't name it"


def unknown_entries(options: PluginOptions, declared: Iterable[EntryPoint]) -> Iterator[str]:
    """Yield a sentence for each entry of the lists that means nothing that is installed."""
    installed = list(declared)
    known = sorted({name for each in installed for name in (each.name, distribution_of(each))})
    for setting, entries in (("allow", options.allow or ()), ("deny", options.deny)):
        for entry in entries:
            if not any(_means(entry, each) for each in installed):
                near = nearest_names(entry, known)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                yield f"`plugins.{setting}` names {entry!r}, which is not installed{hint}"


def _means(entry: str, entry_point: EntryPoint) -> bool:
    distribution, colon, name = entry.rpartition(":")
    own = canonical(distribution_of(entry_point))
    if colon:
        return name == entry_point.name and canonical(distribution) == own
    return entry == entry_point.name or canonical(entry) == own
