"""The split report of ``obsirag chunks``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from obsirag.cli.index import progress_bar
from obsirag.cli.printing import one_line, print_json, print_lines

if TYPE_CHECKING:
    from obsirag.components import NoteCutter
    from obsirag.splitters import SplitReport

__all__ = ["print_report", "report_vault"]

_STYLES = {"title": "bold", "text": "", "warning": "yellow", "error": "red"}


def report_vault(cutter: NoteCutter) -> tuple[SplitReport, bool]:
    """Return the report of all notes, and whether there are some that cannot be read; its warnings tell these."""
    from obsirag.vault import UNREADABLE_NOTE_CODES

    with progress_bar() as progress:
        report = cutter.report_vault(progress)
    return report, any(each.code in UNREADABLE_NOTE_CODES for each in report.warnings)


def print_report(report: SplitReport, *, as_json: bool) -> None:
    """Print a report for people, or as JSON."""
    from obsirag.splitters.report_lines import report_lines

    if as_json:
        print_json(asdict(report))
    else:
        print_lines((one_line(line), _STYLES[part]) for line, part in report_lines(report))
