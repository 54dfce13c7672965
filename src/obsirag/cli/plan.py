"""What ``obsirag index --dry-run`` shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from obsirag.cli.printing import one_line, print_json, print_lines

if TYPE_CHECKING:
    from obsirag.config import RagConfig
    from obsirag.indexing import SyncPlan

__all__ = ["plan_as_lines", "show_plan"]

SHOWN = 20
"""How many notes of each kind are printed; `--json` gives them all."""

_STYLES = {"added": "green", "changed": "yellow", "renamed": "yellow", "deleted": "red", "failed": "red"}


def show_plan(settings: RagConfig, *, full: bool, as_json: bool) -> None:
    """Print what a run would do; the exit code is 1 if a note cannot be read."""
    from obsirag.components import plan_sync

    plan = plan_sync(settings, full=full)
    if as_json:
        print_json(asdict(plan))
    else:
        print_lines(plan_as_lines(plan))
    if plan.failed:
        raise typer.Exit(1)


def plan_as_lines(plan: SyncPlan) -> Iterator[tuple[str, str]]:
    """Yield a plan as lines with their styles: a table of the notes, and the numbers."""
    for kind, style in _STYLES.items():
        notes = [_one_note(each) for each in getattr(plan, kind)]
        for note in notes[:SHOWN]:
            yield f"{kind:<8}  {note}", style
        if len(notes) > SHOWN:
            yield f"{kind:<8}  … and {len(notes) - SHOWN} more; --json gives them all", style
    counts = ", ".join(f"{len(getattr(plan, kind))} {kind}" for kind in (*_STYLES, "unchanged"))
    yield f"{counts}; {plan.to_embed} texts to embed", "bold"
    if plan.needs_consent:
        yield "So many deletions need --allow-deletions.", "red"
    yield "Nothing was written.", ""


def _one_note(each: object) -> str:
    """Return a path, the two of a rename, or a failure on one line."""
    return one_line(" -> ".join(each) if isinstance(each, tuple) else str(each))
