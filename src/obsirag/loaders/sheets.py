"""Excel files."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import datetime, time
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from obsirag.errors import VaultError
from obsirag.loaders.composing import Composer
from obsirag.loaders.limits import Limits
from obsirag.loaders.markup import plain_line, table
from obsirag.loaders.packed import require_sound
from obsirag.records import LoadedFile

__all__ = ["read"]

_MOST_BLANK = 10_000
"""Blank rows in a row, after which a sheet has ended."""


def read(path: Path, limits: Limits) -> LoadedFile:
    """Return an Excel file: each sheet's name as a heading, then its rows as tables, parted where rows are blank.

    Of a formula the value is read that was saved with it.

    Raises:
        VaultError: If it cannot be read.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    require_sound(path, "xl", "Excel file", limits)
    composer = Composer(limits.characters)
    try:
        book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        try:
            for sheet in book.worksheets[: limits.pages]:
                if sheet.sheet_state != "visible":
                    composer.findings.append("a hidden sheet was left out")
                    continue
                composer.begin(f"sheet {sheet.title}")
                _add(sheet, composer, limits)
            return composer.loaded({"title": book.properties.title, "author": book.properties.creator})
        finally:
            book.close()
    except (
        InvalidFileException, ParseError, SyntaxError, zipfile.BadZipFile,
        KeyError, ValueError, TypeError, AttributeError, IndexError, EOFError,
    ) as error:  # fmt: skip
        raise VaultError(f"the Excel file is broken ({type(error).__name__})") from error


def _add(sheet: Any, composer: Composer, limits: Limits) -> None:
    blocks: list[list[list[str]]] = [[]]
    count = length = 0
    for row in _rows(sheet, limits):
        if not any(row):
            if blocks[-1]:
                blocks.append([])
            continue
        if count == limits.rows or length > limits.characters:
            composer.findings.append(
                f"of sheet {sheet.title} only the first {count:,} rows are read; raise `rows` or `characters`"
            )
            break
        blocks[-1].append(row)
        count += 1
        length += sum(map(len, row))
    if count:
        composer.add(f"## {plain_line(sheet.title)}")
    for block in blocks:
        composer.add(_block(block))


def _rows(sheet: Any, limits: Limits) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # what the file says of them may be wrong
    blank = 0
    for row in sheet.iter_rows(max_col=limits.columns):
        texts = [_text(cell) for cell in row]
        blank = 0 if any(texts) else blank + 1
        if blank > _MOST_BLANK:
            return
        yield texts


def _block(rows: list[list[str]]) -> str:
    """Return rows as a table, or a line that stands alone as a paragraph."""
    if len(rows) == 1 and sum(map(bool, rows[0])) == 1:
        return plain_line("".join(rows[0]))
    return table(rows)


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and "%" in (cell.number_format or ""):
        return f"{value * 100:.10g}%"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return f"{value.date()}" if value.time() == time() else f"{value:%Y-%m-%d %H:%M}"
    return str(value).strip()
