"""``obsirag check``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from obsirag.cli.check_typos import tell_typos
from obsirag.cli.printing import one_line, print_json, print_lines
from obsirag.cli.settle import ConfigFile, VaultArgument, folder, settle_config
from obsirag.components import open_vault

if TYPE_CHECKING:
    from obsirag.records import Diagnostic

__all__ = ["check"]

_STYLES = {"error": "red", "hint": "yellow"}

Codes = list[str] | None


def check(
    vault: VaultArgument = None,
    config: ConfigFile = None,
    code: Annotated[Codes, typer.Option(help="Only findings of this code; may be given several times.")] = None,
    ignore_code: Annotated[Codes, typer.Option(help="No findings of this code; may be given several times.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let hints fail the check too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    typos: Annotated[
        bool, typer.Option("--typos", help="Look for misspelt words instead, by the configuration's chat model.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            help="With --typos: write a report into this folder, which lies outside the vault.",
            parser=folder,
            metavar="FOLDER",
        ),
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=0, help="With --typos: most calls of the chat model.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=0, help="With --typos: most tokens that it reads and writes.")
    ] = None,
) -> None:
    """Check a vault: links and embeds that lead nowhere, broken files and front matter, names that clash.

    Nothing in the vault is written. This reads the vault itself, whatever labels its notes carry. Findings are errors,
    or hints at what may well be meant so: a link to a note that is still to be written (broken-link), one name in
    several folders (duplicate-name).

    The exit code is 0 if there is no error, 1 if there is one or the vault cannot be read, and 2 for wrong use. Hints
    count as errors with --strict, or if --code names them.

    With --typos, the exit code is 1 if a word looks misspelt, or not everything could be checked. What was answered is
    kept, so that the same command goes on, and asks only about what is new.
    """
    if typos:
        if code or ignore_code or strict:
            raise typer.BadParameter("--typos goes with none of --code, --ignore-code and --strict")
        settings = settle_config(vault, None, config, needs_index=False)
        if not tell_typos(settings, report, max_calls, max_tokens, as_json=as_json):
            raise typer.Exit(1)
        return
    if report is not None or max_calls is not None or max_tokens is not None:
        raise typer.BadParameter("--report, --max-calls and --max-tokens go with --typos")
    from obsirag.vault import DIAGNOSTIC_CODES, HINT_CODES

    for given in [*(code or ()), *(ignore_code or ())]:
        check_code(given, DIAGNOSTIC_CODES)
    opened = open_vault(settle_config(vault, None, config, needs_index=False))
    notes = len(opened.paths())
    wanted = frozenset(code or DIAGNOSTIC_CODES) - frozenset(ignore_code or ())
    found = [finding for finding in opened.diagnostics if finding.code in wanted]
    forgiven = frozenset() if strict else HINT_CODES - frozenset(code or ())
    failed = any(finding.code not in forgiven for finding in found)
    if as_json:
        findings = [{**asdict(each), "severity": severity_of(each.code)} for each in found]
        counts = count_codes(found)
        print_json(
            {"vault": str(opened.root), "notes": notes, "failed": failed, "counts": counts, "findings": findings}
        )
    else:
        print_lines(findings_as_lines(found))
        print_lines(summary_as_lines(found, notes))
    if failed:
        raise typer.Exit(1)


def check_code(code: str, known: Collection[str]) -> None:
    """Refuse a code that no finding has: a misspelt one would find nothing, and pass."""
    if code not in known:
        near = get_close_matches(code, known, n=1)
        told = f"did you mean {near[0]}?" if near else f"the codes are {', '.join(sorted(known))}"
        raise typer.BadParameter(f"there is no code {code!r}; {told}")


def severity_of(code: str) -> str:
    """Return whether findings of a code are an ``error`` or a ``hint``."""
    from obsirag.vault import HINT_CODES

    return "hint" if code in HINT_CODES else "error"


def count_codes(found: Iterable[Diagnostic]) -> dict[str, int]:
    """Return how many findings there are of each code, the most first."""
    counts = Counter(each.code for each in found)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def findings_as_lines(found: Sequence[Diagnostic]) -> Iterator[tuple[str, str]]:
    """Yield the findings, sorted, as lines with their styles, file by file."""
    places = max((len(str(each.line)) for each in found), default=0)
    width = max((len(each.code) for each in found), default=0)
    for path, inside in groupby(found, key=lambda each: each.path):
        yield one_line(path), "bold"
        for each in inside:
            severity, line = severity_of(each.code), each.line or ""
            shown = f"  {line:>{places}}  {severity:<5}  {each.code:<{width}}  {each.message}"
            yield one_line(shown), _STYLES[severity]
        yield "", ""


def summary_as_lines(found: Sequence[Diagnostic], notes: int) -> Iterator[tuple[str, str]]:
    """Yield how much was found of what, as lines with their styles.

    Args:
        found: The findings.
        notes: How many notes the vault has.
    """
    from obsirag.vault import DIAGNOSTIC_CODES

    if not found:
        yield f"Nothing found in {_counted(notes, 'note')}.", "green"
        return
    counts = count_codes(found)
    places, width = len(str(max(counts.values()))), max(map(len, counts))
    for code, count in counts.items():
        severity = severity_of(code)
        yield f"{count:>{places}}  {severity:<5}  {code:<{width}}  {DIAGNOSTIC_CODES[code]}", _STYLES[severity]
    totals = Counter(severity_of(each.code) for each in found)
    told = " and ".join(_counted(totals[severity], severity) for severity in _STYLES if totals[severity])
    files = len({each.path for each in found})
    yield "", ""
    yield f"{told} in {_counted(files, 'file')}; the vault has {_counted(notes, 'note')}.", "bold"


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
