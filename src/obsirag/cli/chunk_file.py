"""The page of ``obsirag chunks --html``, written to a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import typer

from obsirag.cli.printing import complain
from obsirag.components import NoteCutter
from obsirag.errors import reason_of

__all__ = ["page_file", "write_page"]

_SUFFIXES = (".html", ".htm")


def page_file(file: Path) -> Path:
    """Return where a page is to be written.

    What is there already is written over, as other programs do; but only a page can be, never a note.

    Raises:
        typer.BadParameter: If it is a folder, lies in none, or isn't called like a page.
    """
    is_folder, has_folder = False, True
    with suppress(OSError, RuntimeError):  # a path that cannot be looked at: writing to it will tell why
        file = file.expanduser().resolve()
        is_folder, has_folder = file.is_dir(), file.parent.is_dir()
    if is_folder:
        raise typer.BadParameter(f"--html: {file} is a folder; name a file in it, such as chunks.html")
    if file.suffix.lower() not in _SUFFIXES:
        raise typer.BadParameter(f"--html: {file} must end in .html, so that nothing else is ever written over")
    if not has_folder:
        raise typer.BadParameter(f"--html: there is no folder {file.parent}; make it first")
    return file


def write_page(cutter: NoteCutter, path: str, file: Path) -> None:
    """Write the page that shows a note's chunks.

    Args:
        cutter: Cuts the note.
        path: The note's path in the vault.
        file: The page, from ``page_file``.

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
