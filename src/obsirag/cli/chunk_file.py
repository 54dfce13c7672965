"""The page of ``obsirag chunks --html``, written to a file."""

from __future__ import annotations

from pathlib import Path

import typer

from obsirag.cli.printing import complain
from obsirag.components import NoteCutter
from obsirag.errors import reason_of

__all__ = ["write_page"]


def write_page(cutter: NoteCutter, path: str, file: Path) -> None:
    """Write the page that shows a note's chunks.

    Args:
        cutter: Cuts the note.
        path: The note's path in the vault.
        file: The page, from ``output_file``.

    Raises:
        VaultError: If the vault has no such note, or it cannot be read.
        typer.Exit: If the file cannot be written; why is told.
    """
    from obsirag.cli.page import chunk_page

    rendered = cutter.render(path)
    page = chunk_page(rendered, cutter.cut(rendered), cutter.measure(rendered))
    try:
        file.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        complain(f"Error: {file} cannot be written: {reason_of(error)}")
        raise typer.Exit(1) from error
