"""Where a command may write a file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer

__all__ = ["HTML", "JSON", "output_file"]

HTML = (".html", ".htm")
JSON = (".json",)


def output_file(file: Path, option: str, suffixes: Sequence[str]) -> Path:
    """Return where a file is to be written.

    What is there already is written over, as other programs do; but only a file of the kind can be, never a note.

    Args:
        file: What was given.
        option: The option that it was given with, for messages.
        suffixes: How its name may end.

    Raises:
        typer.BadParameter: If it is a folder, lies in none, or isn't called like a file of the kind.
    """
    is_folder, has_folder = False, True
    with suppress(OSError, RuntimeError):  # a path that cannot be looked at: writing to it will tell why
        file = file.expanduser().resolve()
        is_folder, has_folder = file.is_dir(), file.parent.is_dir()
    if is_folder:
        raise typer.BadParameter(f"{option}: {file} is a folder; name a file in it, such as out{suffixes[0]}")
    if file.suffix.lower() not in suffixes:
        raise typer.BadParameter(
            f"{option}: {file} must end in {suffixes[0]}, so that nothing else is ever written over"
        )
    if not has_folder:
        raise typer.BadParameter(f"{option}: there is no folder {file.parent}; make it first")
    return file
