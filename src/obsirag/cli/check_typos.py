"""``obsirag check --typos``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from obsirag.cli.index import progress_bar
from obsirag.cli.printing import complain, one_line, print_json, print_lines
from obsirag.cli.settle import default_index
from obsirag.errors import ConfigError

if TYPE_CHECKING:
    from obsirag.checking import TypoReport
    from obsirag.config import RagConfig

__all__ = ["tell_typos"]

SHOWN = 10
"""How many notes that weren't checked are printed."""


def tell_typos(
    settings: RagConfig, report_folder: Path | None, max_calls: int | None, max_tokens: int | None, *, as_json: bool
) -> bool:
    """Check a vault for typos, print and write what was found, and say whether nothing was, in all of it."""
    from obsirag.checking import check_report_folder, check_typos, write_typo_report
    from obsirag.checking.places import is_in_vault
    from obsirag.checking.report_files import report_as_json

    vault = settings.vault.expanduser().resolve()
    if report_folder is not None and vault.is_dir():
        report_folder = report_folder.expanduser()
        try:
            check_report_folder(report_folder, vault)
        except ConfigError as error:
            raise typer.BadParameter(f"--report: {error}") from error
    # A configuration without an index has none to keep answers in, and an index in the vault is no place for them.
    has_index = not settings.index.exists() or settings.index.is_dir()
    keeps = has_index and vault.is_dir() and not is_in_vault(settings.index, vault) and _can_be_made(settings.index)
    with progress_bar() as progress:
        report = check_typos(
            settings,
            cache=settings.index if keeps else default_index(settings.vault),
            max_calls=max_calls,
            max_tokens=max_tokens,
            progress=progress,
        )
    if as_json:
        print_json(report_as_json(report))
    else:
        print_lines(_typos_as_lines(report))
    if report_folder is not None:
        files = write_typo_report(report, report_folder)
        complain("Written: " + ", ".join(str(file) for file in files))
    return report.is_complete and not report.typos


def _can_be_made(folder: Path) -> bool:
    return all(each.is_dir() for each in folder.parents if each.exists())


def _typos_as_lines(report: TypoReport) -> Iterator[tuple[str, str]]:
    """Yield what was found, note by note, and what wasn't checked, as lines with their styles."""
    for path, typos in groupby(report.typos, key=lambda each: each.path):
        yield one_line(path), "bold"
        for typo in typos:
            place = f"{typo.line}:{typo.column}"
            yield one_line(f"  {place:>8}  {typo.word} → {typo.suggestion}"), "yellow"
            yield one_line(f"            {typo.before}⟦{typo.word}⟧{typo.after}"), "dim"
        yield "", ""
    found = f"{len(report.typos)} words look misspelt" if len(report.typos) != 1 else "1 word looks misspelt"
    told = found if report.typos else "No word looks misspelt"
    cost = f"{report.calls} calls of the chat model, {report.tokens} tokens"
    yield f"{told} in {report.notes} notes ({report.sentences} sentences; {cost}).", "bold"
    if report.unchecked:
        missing = sum(each.sentences for each in report.unchecked)
        yield f"Not checked: {missing} sentences in {len(report.unchecked)} notes, since {report.reason}.", "red"
        for each in report.unchecked[:SHOWN]:
            yield one_line(f"  {each.path}, from line {each.line} on: {each.sentences}"), "red"
        if len(report.unchecked) > SHOWN:
            yield f"  … and {len(report.unchecked) - SHOWN} more notes; --report and --json name them all", "red"
        yield "Run the same command again to go on; what was answered is kept.", ""
