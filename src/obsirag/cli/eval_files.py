"""The files that ``obsirag eval`` writes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import typer

from obsirag.cli.printing import complain
from obsirag.errors import reason_of

__all__ = ["file_for", "write_file"]


def file_for(option: str, file: Path | None, suffix: str) -> Path | None:
    """Return where a report is to be written; what is there already is written over.

    It is looked at before the questions are asked, which takes a while.

    Raises:
        typer.BadParameter: If it is a folder, lies in none, or has another suffix.
    """
    if file is None:
        return None
    is_folder, has_folder = False, True
    with suppress(OSError, RuntimeError):  # a path that cannot be looked at: writing to it will tell why
        file = file.expanduser().resolve()
        is_folder, has_folder = file.is_dir(), file.parent.is_dir()
    if is_folder:
        raise typer.BadParameter(f"{option}: {file} is a folder; name a file in it, such as report{suffix}")
    if file.suffix.lower() != suffix:
        raise typer.BadParameter(f"{option}: {file} must end in {suffix}, so that no question file is written over")
    if not has_folder:
        raise typer.BadParameter(f"{option}: there is no folder {file.parent}; make it first")
    return file


def write_file(file: Path | None, content: Callable[[], str]) -> None:
    """Write a report, if a file was named.

    Raises:
        typer.Exit: If the file cannot be written; why is told.
    """
    if file is None:
        return
    try:
        file.write_text(content(), encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        complain(f"Error: {file} cannot be written: {reason_of(error)}")
        raise typer.Exit(1) from error
