"""The split report of ``obsirag chunks``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from obsirag.cli.cutting import NoteCutter, fault_of
from obsirag.cli.index import progress_bar
from obsirag.cli.printing import one_line, print_json, print_lines

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from obsirag.records import Diagnostic
    from obsirag.splitters import Measure, SplitReport

__all__ = ["print_report", "report_note", "report_vault"]

_STYLES = {"title": "bold", "text": "", "warning": "yellow", "error": "red"}


def report_note(cutter: NoteCutter, path: str) -> SplitReport:
    """Return the report of one note.

    Raises:
        VaultError: If the vault has no such note, or it cannot be read.
    """
    from obsirag.splitters import SplitReport

    rendered = cutter.render(path)
    documents = cutter.cut(rendered)
    warnings = [*rendered.diagnostics, *cutter.past_input_limit(documents)]
    return SplitReport.from_documents(documents, cutter.measure(rendered), notes=[rendered.path], warnings=warnings)


def report_vault(cutter: NoteCutter) -> tuple[SplitReport, bool]:
    """Return the report of all notes, and whether there are some that cannot be read; its warnings tell these."""
    from obsirag.splitters import SplitReport

    documents: list[Document] = []
    warnings: set[Diagnostic] = set()
    measures: dict[str, Measure] = {}
    failed = False
    paths = cutter.vault.paths()
    with progress_bar() as progress:
        for done, path in enumerate(paths, 1):
            progress(done, len(paths), path)
            rendered = cutter.vault.render(path)
            warnings.update(rendered.diagnostics)
            if fault_of(rendered) is not None:
                failed = True
                continue
            chunks = cutter.cut(cutter.clean(rendered))
            warnings.update(cutter.past_input_limit(chunks))
            documents += chunks
            measures[rendered.path] = cutter.measure(rendered)
    report = SplitReport.from_documents(
        documents,
        lambda document: measures[document.metadata["source"]],
        notes=measures,
        warnings=sorted(warnings),
    )
    return report, failed


def print_report(report: SplitReport, *, as_json: bool) -> None:
    """Print a report for people, or as JSON."""
    from obsirag.splitters.report_lines import report_lines

    if as_json:
        print_json(asdict(report))
    else:
        print_lines((one_line(line), _STYLES[part]) for line, part in report_lines(report))
