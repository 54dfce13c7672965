"""Paths as a configuration states them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationInfo

__all__ = ["check_path", "complete_path"]


def check_path(path: Any, kind: str) -> Any:
    """Return what may be a path.

    Args:
        path: What was given.
        kind: What it is the path of, for the message.

    Raises:
        ValueError: If it is empty or holds a null character.
    """
    # Path("") would be the working directory: an unset variable of a script is not that.
    if isinstance(path, str) and (not path.strip() or "\0" in path):
        raise ValueError(f"must be the path of a {kind}, and is empty or holds a null character")
    return path


def complete_path(path: Path, info: ValidationInfo) -> Path:
    """Return a path with the home folder in the place of ``~``, relative to the configuration's file."""
    if str(path) == "~" or str(path).startswith(("~/", "~\\")):
        path = path.expanduser()
    folder = (info.context or {}).get("folder")
    return folder / path if folder is not None else path
