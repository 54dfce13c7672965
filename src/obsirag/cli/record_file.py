"""The record of a run, written to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from obsirag.cli.printing import complain
from obsirag.errors import reason_of

if TYPE_CHECKING:
    from obsirag.graphs.tracing.shape import RunRecord

__all__ = ["write_record"]


def write_record(file: Path, record: RunRecord) -> None:
    """Write a record, for its owner's eyes only: it holds the text of notes.

    Raises:
        typer.Exit: If the file cannot be written; why is told.
    """
    from obsirag.graphs.tracing.files import write_json

    try:
        write_json(file, record)
    except OSError as error:
        complain(f"Error: {file} cannot be written: {reason_of(error)}")
        raise typer.Exit(1) from error
