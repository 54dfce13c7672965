"""The entry points that installed distributions declare, and whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points

from obsirag.plugins.markers import GROUP

__all__ = ["OWN_DISTRIBUTION", "canonical", "distribution_of", "find_entry_points", "is_built_in", "version_of"]

OWN_DISTRIBUTION = "obsirag"
_UNKNOWN = "an unknown distribution"


def find_entry_points() -> list[EntryPoint]:
    """Return the entry points of the group ``obsirag``, without those of a distribution whose metadata is broken."""
    try:
        return list(entry_points(group=GROUP))
    except Exception:  # noqa: BLE001 - one broken file of anybody's, which costs all of them here
        return _one_by_one(distributions())


def _one_by_one(installed: Iterable[Distribution]) -> list[EntryPoint]:
    found: dict[str, list[EntryPoint]] = {}
    for distribution in installed:
        try:
            declared = list(distribution.entry_points.select(group=GROUP))
            name = canonical(distribution.metadata["Name"] or str(distribution))
        except Exception:  # noqa: BLE001, S112 - it cannot be read, so nothing can be said of it
            continue
        found.setdefault(name, declared)  # of one that is there twice, the first is what Python imports
    return [each for declared in found.values() for each in declared]


def is_built_in(entry_point: EntryPoint) -> bool:
    """Say whether ``entry_point`` is part of obsirag; a stranger may call itself so, but brings other modules."""
    own_module = entry_point.value.partition(".")[0].partition(":")[0].strip() == OWN_DISTRIBUTION
    return own_module and canonical(distribution_of(entry_point)) == OWN_DISTRIBUTION


def distribution_of(entry_point: EntryPoint) -> str:
    """Return the name of the distribution that declares ``entry_point``."""
    return _stated(entry_point, "Name") or _UNKNOWN


def version_of(entry_point: EntryPoint) -> str:
    """Return the version of the distribution that declares ``entry_point``; empty if that says none."""
    return _stated(entry_point, "Version")


def canonical(distribution: str) -> str:
    """Return the name of a distribution as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", distribution.strip()).lower()


def _stated(entry_point: EntryPoint, field: str) -> str:
    """Return a field of the declaring distribution's metadata, empty if it is missing.

    Metadata may be broken, which must not break what reads it: it may lack the field, the file, or any encoding.
    """
    try:
        values = entry_point.dist.metadata.get_all(field) if entry_point.dist else None
    except Exception:  # noqa: BLE001 - whatever is wrong with it, there is no such field in it
        values = None
    return str(values[0]).strip() if values else ""
