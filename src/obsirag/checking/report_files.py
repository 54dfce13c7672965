"""A report on typos as files: Markdown to read, JSON for other programs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from tempfile import NamedTemporaryFile

from obsirag.checking.places import refuse_in_vault
from obsirag.checking.report import TypoReport
from obsirag.errors import ConfigError

__all__ = ["check_report_folder", "report_as_json", "write_typo_report"]

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def check_report_folder(folder: Path, vault: Path) -> None:
    """Make sure that a report can be written into a folder, which is made if it is missing.

    Raises:
        ConfigError: If it lies in the vault, or is no folder.
    """
    refuse_in_vault(folder, vault, "the folder for the report")
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is no folder; name one for the report")


def write_typo_report(report: TypoReport, folder: Path) -> tuple[Path, Path]:
    """Write a report into a folder as ``typos.md`` and ``typos.json``, and return the paths of both.

    Raises:
        ConfigError: If the folder lies in the vault, is no folder, or cannot be written.
    """
    check_report_folder(folder, Path(report.vault))
    markdown, data = folder / "typos.md", folder / "typos.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(markdown, "\n".join(_lines(report)) + "\n")
        _write(data, json.dumps(report_as_json(report), ensure_ascii=False, indent=2) + "\n")
    except OSError as error:
        raise ConfigError(f"the report cannot be written to {folder}: {error.strerror or error}") from error
    return markdown, data


def report_as_json(report: TypoReport) -> dict[str, object]:
    """Return a report as JSON can hold it."""
    return {"complete": report.is_complete, **asdict(report)}


def _write(file: Path, text: str) -> None:
    """Let a file hold a text; a link in its place is replaced, and not followed to a note."""
    with NamedTemporaryFile(dir=file.parent, delete=False) as new:
        try:
            new.write(text.encode("utf-8", "replace"))
            new.close()
            os.replace(new.name, file)  # noqa: PTH105 - the same
        except BaseException:
            with suppress(OSError):
                os.unlink(new.name)  # noqa: PTH108 - the same
            raise


def _lines(report: TypoReport) -> Iterator[str]:
    yield "# Words that look misspelt"
    yield ""
    place = f"{report.notes} notes of {_code(report.vault)}"
    yield f"{len(report.typos)} in {place}, as a chat model sees it: look before you change."
    if report.unchecked:
        yield ""
        yield f"**Not everything was checked: {_plain(report.reason)}.** What is missing stands at the end."
    for path, typos in groupby(report.typos, key=lambda each: each.path):
        yield from ("", f"## {_code(path)}", "")
        for typo in typos:
            change = f"{_code(typo.word)} → {_code(typo.suggestion)}"
            around = _code(f"{typo.before}⟦{typo.word}⟧{typo.after}".strip())
            yield f"- line {typo.line}, column {typo.column}: {change} in {around}"
    if report.unchecked:
        yield from ("", "## Not checked", "")
        for each in report.unchecked:
            yield f"- {_code(each.path)}, from line {each.line} on: {each.sentences} sentences"


def _plain(text: str) -> str:
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text).replace("\n", " ").replace("<", "‹")


def _code(text: str) -> str:
    """Return a text as Markdown that nothing in it can break out of."""
    text = _STEERING.sub("\N{REPLACEMENT CHARACTER}", text).replace("\n", " ")
    marks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{marks} {text} {marks}" if "`" in text else f"{marks}{text}{marks}"
