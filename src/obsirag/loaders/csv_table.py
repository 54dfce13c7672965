"""CSV files: one table."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

from obsirag.errors import VaultError
from obsirag.loaders.composing import Composer
from obsirag.loaders.decoding import decoded
from obsirag.loaders.limits import Limits
from obsirag.loaders.markup import table
from obsirag.records import LoadedFile

__all__ = ["read"]

_DELIMITERS = ",;\t|"
_LOOKED_AT = 20


def read(path: Path, limits: Limits) -> LoadedFile:
    """Return a CSV file as a table, its first row as the head.

    Raises:
        VaultError: If it cannot be read.
    """
    text = decoded(path.read_bytes())
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(text)
    composer = Composer(limits.characters)
    rows: list[list[str]] = []
    length = 0
    try:
        for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter):
            if not any(map(str.strip, row)):
                continue
            if len(rows) == limits.rows or length > limits.characters:
                composer.findings.append(f"only the first {len(rows):,} rows are read; raise `rows` or `characters`")
                break
            if len(row) > limits.columns and not composer.findings:
                composer.findings.append(f"only the first {limits.columns:,} columns are read; raise `columns`")
            rows.append(row[: limits.columns])
            length += sum(map(len, rows[-1]))
    except csv.Error as error:
        raise VaultError(f"the CSV file is broken after {len(rows):,} rows: {error}") from error
    while rows and len(table(rows)) > limits.characters:
        rows = rows[: len(rows) // 2]
    composer.add(table(rows))
    return composer.loaded()


def _delimiter(text: str) -> str:
    """Return what parts the cells of most of the first rows in the same number, more than one."""
    head = "".join(islice(text.splitlines(keepends=True), _LOOKED_AT))

    def evenness(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in csv.reader(head.splitlines(keepends=True), delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) / len(widths), usual) if usual > 1 else (0.0, 0)

    return max(_DELIMITERS, key=evenness)
