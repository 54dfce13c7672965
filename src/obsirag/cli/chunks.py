"""``obsirag chunks``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from obsirag.cli.chunk_file import write_page
from obsirag.cli.output_file import HTML, output_file
from obsirag.cli.printing import print_json, print_line
from obsirag.cli.settle import ConfigFile, VaultFolder, folder, path_in, settle_config
from obsirag.cli.split_report import print_report, report_vault
from obsirag.components import NoteCutter

if TYPE_CHECKING:
    from langchain_core.documents import Document

__all__ = ["chunks"]


def chunks(
    note: Annotated[
        str | None, typer.Argument(help="The note, as a path in the vault; may be left out with --report.")
    ] = None,
    vault: VaultFolder = None,
    config: ConfigFile = None,
    report: Annotated[
        bool, typer.Option("--report", help="Tell how long the chunks are, of the note or of the whole vault.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a page that shows the note's chunks.", parser=folder, metavar="FILE"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the chunks, or the report, as JSON.")] = False,
) -> None:
    """Show how a note is cut into chunks, or how a vault is. This reads the vault itself, whatever labels it carries.

    The exit code is 1 if the note, or with --report a note of the vault, cannot be read.
    """
    if note is None and not report:
        raise typer.BadParameter("give a note, or --report for the whole vault")
    if html is not None and (report or as_json):
        raise typer.BadParameter("--html writes a page and prints nothing: leave --report and --json out")
    page = None if html is None else output_file(html, "--html", HTML)
    settings = settle_config(vault, None, config, needs_index=False)
    cutter = NoteCutter(settings)
    path = None if note is None else path_in(settings.vault, note)
    if path is None:
        found, failed = report_vault(cutter)
        print_report(found, as_json=as_json)
        if failed:
            raise typer.Exit(1)
    elif report:
        print_report(cutter.report(path), as_json=as_json)
    elif page is not None:
        write_page(cutter, path, page)
    else:
        print_chunks(cutter.cut(cutter.render(path)), as_json=as_json)


def print_chunks(documents: list[Document], *, as_json: bool) -> None:
    """Print chunks one after the other, or as JSON."""
    if as_json:
        print_json([{"page_content": each.page_content, "metadata": each.metadata} for each in documents])
        return
    for document in documents:
        made = document.metadata
        marks = [f"lines {made['start_line']}-{made['end_line']}"] if "start_line" in made else []
        marks += [name for name in ("is_partial", "has_code") if made.get(name)]
        marks += [f"overlap {made['overlap']}"] if made.get("overlap") else []
        path = " > ".join(made.get("headings", []))
        print_line(
            f"── {made.get('chunk_index', 0) + 1} of {made.get('chunk_count', len(documents))} · "
            f"{len(document.page_content)} characters" + "".join(f" · {mark}" for mark in [*marks, path] if mark),
            style="bold cyan",
        )
        print_line(document.page_content)
