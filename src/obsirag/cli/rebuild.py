"""``obsirag rebuild`` and ``obsirag drop``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from obsirag.cli.index import print_report, progress_bar
from obsirag.cli.printing import one_line, print_json, print_line
from obsirag.cli.settle import ConfigFile, IndexFolder, VaultArgument, settle_config

__all__ = ["drop", "rebuild"]

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]


def rebuild(
    vault: VaultArgument = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    yes: Yes = False,
    allow_deletions: Annotated[
        bool, typer.Option("--allow-deletions", help="Let more than half of the notes of a large index leave it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Embed all notes anew, also with another embedding model than before.

    Searches find what they found before until everything is embedded. One that was stopped goes on where it was.

    The exit code is 1 if a note could not be indexed, or the answer was no.
    """
    from obsirag.components import rebuild_index

    settings = settle_config(vault, index, config)
    if not yes:
        typer.confirm(f"Embed all notes of {one_line(str(settings.vault))} anew?", abort=True, err=True)
    with progress_bar() as progress:
        report = rebuild_index(settings, progress=progress, allow_deletions=allow_deletions)
    if as_json:
        print_json(asdict(report))
    else:
        print_report(report, settings.index)
    if report.failed:
        raise typer.Exit(1)


def drop(vault: VaultArgument = None, index: IndexFolder = None, config: ConfigFile = None, yes: Yes = False) -> None:
    """Remove an index. The notes themselves are not touched, nor what else lies in the index folder.

    The exit code is 1 if the folder holds no index, or the answer was no.
    """
    from obsirag.components import drop_index
    from obsirag.indexing import check_is_index

    settings = settle_config(vault, index, config)
    folder = one_line(str(settings.index))
    check_is_index(settings.index)
    if not yes:
        typer.confirm(f"Remove the index in {folder}?", abort=True, err=True)
    left = drop_index(settings)
    print_line(f"Removed the index in {folder}.")
    if left:
        print_line(f"Other files stay there: {', '.join(map(one_line, left))}")
