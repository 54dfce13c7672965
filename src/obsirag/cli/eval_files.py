"""The files that ``obsirag eval`` writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from obsirag.cli.output_file import output_file
from obsirag.cli.printing import complain
from obsirag.errors import reason_of

__all__ = ["file_for", "write_file"]


def file_for(option: str, file: Path | None, suffix: str) -> Path | None:
    """Return where a report is to be written; what is there already is written over.

    It is looked at before the questions are asked, which takes a while.

    Raises:
        typer.BadParameter: If it is a folder, lies in none, or has another suffix.
    """
    return None if file is None else output_file(file, option, (suffix,))


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
