"""The page, sheet or slide that a quote stands on."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["part_at"]


def part_at(file_parts: Any, line: int) -> str:
    """Return the name of the part of a file that a line is in; empty for one without parts.

    Args:
        file_parts: What a chunk says of its parts: JSON text, ``[[line, name], …]`` in order.
        line: 1-based line of the file.
    """
    if not isinstance(file_parts, str):
        return ""
    try:
        parts = json.loads(file_parts)
    except ValueError:
        return ""
    name = ""
    for each in parts if isinstance(parts, list) else []:
        match each:
            case [int(first), str(found)] if first <= line or not name:
                name = found
    return name
