"""The files that ``obsirag eval`` writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from obsirag.cli.output_file import output_file
from obsirag.cli.printing import complain
from obsirag.errors import reason_of

if TYPE_CHECKING:
    from obsirag.cli.eval_page.shape import Failure
    from obsirag.evaluation import EvaluationSummary, Fault

__all__ = ["file_for", "write_file", "write_page"]


def file_for(option: str, file: Path | None, *suffixes: str) -> Path | None:
    """Return where a report is to be written; what is there already is written over.

    It is looked at before the questions are asked, which takes a while.

    Raises:
        typer.BadParameter: If it is a folder, lies in none, or has another suffix.
    """
    return None if file is None else output_file(file, option, suffixes)


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
        raise _not_written(file, error) from error


def write_page(
    file: Path,
    summary: EvaluationSummary,
    faults: Sequence[Fault],
    kept: Sequence[Mapping[str, Failure]],
    language: Literal["en", "zh"],
) -> None:
    """Write the page of an evaluation, for its owner's eyes only: it holds the text of notes.

    Raises:
        typer.Exit: If the file cannot be written; why is told.
    """
    from obsirag.cli.eval_page import eval_page
    from obsirag.graphs.tracing.files import write_private

    page = eval_page(summary, faults, kept, language)
    try:
        write_private(file, page)
    except OSError as error:
        raise _not_written(file, error) from error


def _not_written(file: Path, error: OSError) -> typer.Exit:
    complain(f"Error: {file} cannot be written: {reason_of(error)}")
    return typer.Exit(1)
