"""Paths in a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

__all__ = ["FilePath", "FolderPath"]


def _checked(path: Any) -> Any:
    # Path("") would be the working directory: an unset variable of a script is not that.
    if isinstance(path, str) and (not path.strip() or "\0" in path):
        raise ValueError("must be the path of a folder or a file, and is empty or holds a null character")
    return path


def _complete(path: Path, info: ValidationInfo) -> Path:
    if str(path) == "~" or str(path).startswith(("~/", "~\\")):
        path = path.expanduser()
    folder = (info.context or {}).get("folder")
    return folder / path if folder is not None else path


FolderPath = Annotated[Path, BeforeValidator(_checked), AfterValidator(_complete)]
"""A folder, with ``~`` for the home folder; in a file relative to that file."""

FilePath = FolderPath
"""The same of a file."""
