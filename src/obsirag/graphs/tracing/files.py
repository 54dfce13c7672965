"""Files that hold text of notes: only their owner may read them."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from obsirag.errors import TraceError, reason_of
from obsirag.graphs.tracing.plain_data import as_json

__all__ = ["read_json", "write_json", "write_private"]


def write_json(file: Path, value: Any) -> None:
    """Write plain data to a file, as ``write_private`` does.

    Raises:
        OSError: If it cannot be written.
    """
    write_private(file, as_json(value) + "\n")


def write_private(file: Path, text: str) -> None:
    """Write a file, whole or not at all, readable by its owner only.

    Raises:
        OSError: If it cannot be written.
    """
    handle, name = mkstemp(prefix=".", suffix=".part", dir=file.parent)  # for its owner only
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as part:
            part.write(text)
        Path(name).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def read_json(file: Path, kind: str, version: int, *, what: str) -> dict[str, Any]:
    """Return what a file holds.

    Args:
        file: The file.
        kind: The key that says what kind of file it is, and holds the version of its form.
        version: The newest version that can be read.
        what: What the file should be, for messages.

    Raises:
        TraceError: If it cannot be read, or is of another kind or of a newer version.
    """
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TraceError(f"{file} cannot be read: {reason_of(error)}") from error
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{file} is no {what}: it is not JSON, or not whole") from error
    found = value.get(kind) if isinstance(value, dict) else None
    if not isinstance(found, int):
        raise TraceError(f"{file} is no {what}: it has no `{kind}`")
    if found != version:
        raise TraceError(f"{file} is a {what} of version {found}; this obsirag reads version {version}")
    return dict(value)
