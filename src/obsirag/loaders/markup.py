"""Plain text as Markdown that means just this text, and rows as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["defused", "plain_line", "table"]

# Links and embeds of notes, comments and names of blocks: a file from elsewhere has none of its own.
_OBSIDIAN = re.compile(r"\[\[|%%|(?<!\S)\^(?=[\w-]+\s*$)", re.MULTILINE)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BLOCK_MARK = re.compile(
    r"(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|=+\s*$|-{2,}\s*$|[*_](?:\s*[*_]){2,}\s*$|`{3}|~{3}|\||\$\$|:\s)"
)
_FENCED = re.compile(r"^( *(?:[-+*>] *)*)(`{3,}|~{3,})[^\n]*\n.*?(?:^[ >]*\2[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060\ufeff\ufffe\uffff]")


def plain_line(text: str) -> str:
    """Return text as one line of Markdown that shows it, whatever marks it holds."""
    line = _TAG.sub(r"\\<", _escaped(" ".join(_CONTROLS.sub(" ", text).split())))
    return f"\\{line}" if _BLOCK_MARK.match(line) else line


def defused(markdown: str) -> str:
    """Return Markdown without what only Obsidian reads into it: links to notes, embeds, comments; code stays."""
    done, place = [], 0
    for code in _FENCED.finditer(markdown):
        done += [_escaped(markdown[place : code.start()]), code[0]]
        place = code.end()
    return "".join([*done, _escaped(markdown[place:])])


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of plain text as a table whose first row is its head, or as nothing if no cell has text."""
    width = max((len(row) for row in rows), default=0)
    cells = [[_cell(row[column]) if column < len(row) else "" for column in range(width)] for row in rows]
    cells = [row for row in cells if any(row)]
    used = [column for column in range(width) if any(row[column] for row in cells)]
    if not used:
        return ""
    lines = [f"| {' | '.join(row[column] for column in used)} |" for row in cells]
    return "\n".join([lines[0], f"|{' --- |' * len(used)}", *lines[1:]])


def _cell(text: str) -> str:
    line = _TAG.sub(r"\\<", _escaped(" ".join(_CONTROLS.sub(" ", text).split())))
    return line.replace("|", r"\|")


def _escaped(text: str) -> str:
    return _OBSIDIAN.sub(lambda mark: "".join(f"\\{each}" for each in mark[0]), text)
