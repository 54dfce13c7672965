"""``obsirag chunks``."""

from __future__ import annotations

from typing import Annotated

import typer

from obsirag.cli.printing import print_json, print_line
from obsirag.cli.settle import ConfigFile, VaultFolder, path_in, settle_config

__all__ = ["chunks"]


def chunks(
    note: Annotated[str, typer.Argument(help="The note, as a path in the vault.")],
    vault: VaultFolder = None,
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the chunks as JSON.")] = False,
) -> None:
    """Show how a note is cut into chunks. This reads the vault itself, whatever labels its notes carry."""
    from obsirag.components import split_note

    settings = settle_config(vault, None, config)
    documents = split_note(settings, path_in(settings.vault, note))
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
