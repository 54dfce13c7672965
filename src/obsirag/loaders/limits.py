"""What a file may cost."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MEBIBYTE", "Limits"]

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost; past the first four a file isn't read, past the others its rest isn't.

    Args:
        seconds: Time, from the beginning to the end. Pages that would come too late are left out, if one can tell.
        memory: MiB of address space, where the system can hold a process to it (not on macOS and Windows).
        file_size: MiB of the file.
        unpacked_size: MiB of what is packed in a Word, PowerPoint or Excel file.
        pages: Pages, slides or sheets.
        rows: Rows of a sheet or of a CSV file.
        columns: Columns of a sheet or of a CSV file.
        characters: Characters of Markdown.
    """

    seconds: float = 100.0
    memory: int = 3072
    file_size: int = 200
    unpacked_size: int = 500
    pages: int = 2000
    rows: int = 20_000
    columns: int = 200
    characters: int = 5_000_000
