"""``obsirag index``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from obsirag.cli.plan import show_plan
from obsirag.cli.printing import complain, plain, print_json, print_line
from obsirag.cli.settle import ConfigFile, IndexFolder, VaultArgument, settle_config

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from obsirag.config import RagConfig
    from obsirag.records import Diagnostic, IndexReport

__all__ = ["index"]

SHOWN = 10
"""How many findings are printed; `--json` gives them all."""


def index(
    vault: VaultArgument = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    full: Annotated[
        bool, typer.Option("--full", help="Read every note, and accept another embedding model than before.")
    ] = False,
    allow_deletions: Annotated[
        bool, typer.Option("--allow-deletions", help="Let more than half of the notes of a large index leave it.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done; write nothing.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and index again whenever the vault changes; Ctrl-C ends it.")
    ] = False,
    interval: Annotated[float, typer.Option(min=0.1, help="With --watch: seconds between two looks.")] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Bring the index of a vault up to date; only what changed is embedded again.

    The exit code is 1 if a note could not be indexed; what the index held of it is kept.
    """
    from obsirag.components import index_vault

    if watch and (full or allow_deletions or dry_run or as_json):
        raise typer.BadParameter("--watch goes with none of --full, --allow-deletions, --dry-run and --json")
    settings = settle_config(vault, index, config)
    if watch:
        watch_and_tell(settings, interval)
        return
    if dry_run:
        show_plan(settings, full=full, as_json=as_json)
        return
    with progress_bar() as progress:
        report = index_vault(settings, progress=progress, full=full, allow_deletions=allow_deletions)
    if as_json:
        print_json(asdict(report))
    else:
        print_report(report, settings.index)
    if report.failed:
        raise typer.Exit(1)


def watch_and_tell(settings: RagConfig, interval: float) -> None:
    """Keep an index up to date until Ctrl-C, and print what was done whenever something was."""
    from obsirag.components import watch_vault

    def tell(report: IndexReport) -> None:
        if report.added or report.changed or report.renamed or report.deleted or report.failed:
            print_report(report, settings.index)

    complain(f"Watching {plain(str(settings.vault))}; Ctrl-C ends it.")
    watch_vault(settings, on_report=tell, on_error=lambda error: complain(f"Error: {error}"), interval=interval)


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar while notes are indexed, beside the results, so that these can be piped on."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading the vault", total=None)
        yield lambda done, total, path: bar.update(task, completed=done, total=total, description=plain(path))


def print_report(report: IndexReport, folder: Path) -> None:
    """Print what was done, and what was noticed."""
    print_line(f"{report}", style="bold")
    print_line(f"Index: {folder}")
    print_failures(report.failed)
    if report.diagnostics:
        counts = Counter(finding.code for finding in report.diagnostics)
        print_line("Noticed: " + ", ".join(f"{count} × {code}" for code, count in counts.most_common()))
        for finding in report.diagnostics[:SHOWN]:
            print_line(f"  {finding}", style="yellow")
        if len(report.diagnostics) > SHOWN:
            print_line(f"  … and {len(report.diagnostics) - SHOWN} more; --json gives them all")


def print_failures(failed: Sequence[Diagnostic]) -> None:
    """Print why notes failed, each reason once: a server that is down fails them all."""
    notes: dict[str, list[str]] = {}
    for failure in failed:
        place = f"{failure.path}:{failure.line}" if failure.line else failure.path
        notes.setdefault(f"{failure.code}: {failure.message}", []).append(place)
    for reason, places in notes.items():
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        complain(f"Failed: {reason}\n  in {', '.join(places[:SHOWN])}{more}")
