"""Which version of obsirag this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

__all__ = ["installed_version"]

UNKNOWN = "unknown"


def installed_version() -> str:
    """Return the installed version; ``unknown`` where the code runs without having been installed."""
    try:
        return version("obsirag")
    except PackageNotFoundError:
        return UNKNOWN
