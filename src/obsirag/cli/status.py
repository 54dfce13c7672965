"""``obsirag status``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from obsirag.cli.printing import one_line, print_json, print_lines
from obsirag.cli.settle import ConfigFile, IndexFolder, VaultArgument, settle_config

if TYPE_CHECKING:
    from datetime import datetime

    from obsirag.catalogue import NoteState
    from obsirag.components import IndexStatus

__all__ = ["status"]

_STYLES = {"indexed": "", "skipped": "yellow", "failed": "red"}

_UNFINISHED = {
    "stale_notes": "notes that a change elsewhere may reach are still to be looked at",
    "pending_vectors": "vectors are still to be removed from the store",
    "unfilled_store": "store is still to be filled with the vectors of another model",
    "staged_vectors": "vectors were embedded ahead for a rebuild that did not end",
}


def status(
    vault: VaultArgument = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    notes: Annotated[bool, typer.Option("--notes", help="List what became of each note.")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="With --notes: only those that failed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show how an index stands: its notes and chunks, its model, the last run, and what a run that died has left.

    Nothing is written, no model is loaded, and the vault isn't looked at: `obsirag index --dry-run` tells what has
    changed there. The list shows the paths of all notes, whatever labels they carry.

    The exit code is 1 if there is no index.
    """
    from obsirag.components import read_status

    if failed and not notes:
        raise typer.BadParameter("--failed chooses from the list: give --notes too")
    found = read_status(settle_config(vault, index, config))
    listed = [note for note in found.notes if note.state == "failed" or not failed]
    if as_json:
        print_json([_as_data(note) for note in listed] if notes else summary_as_data(found))
    else:
        print_lines(notes_as_lines(listed) if notes else summary_as_lines(found))


def summary_as_data(found: IndexStatus) -> dict[str, Any]:
    """Return the summary in shapes that JSON knows."""
    run = found.last_run
    return {
        "vault": str(found.vault),
        "index": str(found.index),
        "model": found.model,
        "dimensions": found.dimensions,
        "notes": {state: found.count(state) for state in _STYLES},
        "chunks": found.chunks,
        "last_run": run and {"at": run.at.isoformat(), **run.counts},
        "is_being_written": found.is_being_written,
        "unfinished": dict(found.unfinished),
    }


def summary_as_lines(found: IndexStatus) -> Iterator[tuple[str, str]]:
    """Yield the summary as lines with their styles."""
    run = found.last_run
    counts = ", ".join(f"{found.count(state)} {state}" for state in _STYLES)
    model = f"{found.model} ({found.dimensions} dimensions)" if found.model else "none yet"
    yield f"Vault     {one_line(str(found.vault))}", ""
    yield f"Index     {one_line(str(found.index))}", ""
    yield f"Model     {one_line(model)}", ""
    yield f"Notes     {counts}", "red" if found.count("failed") else ""
    yield f"Chunks    {found.chunks}", ""
    if run is not None:
        done = ", ".join(f"{count} {name}" for name, count in run.counts.items() if count)
        yield f"Last run  {_time(run.at)}: {done or 'nothing to do'}", ""
    if found.is_being_written:
        yield "A run is at work.", "bold"
    for kind, count in found.unfinished.items():
        yield f"Unfinished: {count} {_UNFINISHED[kind]}; the next run does it.", "yellow"


def notes_as_lines(notes: Iterable[NoteState]) -> Iterator[tuple[str, str]]:
    """Yield what became of notes as lines with their styles."""
    for note in notes:
        reason = f"  {note.code}: {note.reason}" if note.code else ""
        shown = f"{note.state:<7}  {note.chunks:>5} chunks  {_time(note.when)}  {note.path}{reason}"
        yield one_line(shown), _STYLES[note.state]


def _as_data(note: NoteState) -> dict[str, Any]:
    return {**note._asdict(), "when": note.when and note.when.isoformat()}


def _time(when: datetime | None) -> str:
    """Return a time as clocks here show it."""
    return f"{when.astimezone():%Y-%m-%d %H:%M:%S}" if when else " " * 19
