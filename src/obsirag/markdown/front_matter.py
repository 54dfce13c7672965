"""Front matter: the YAML block at the very start of a note."""

from __future__ import annotations

import re

__all__ = ["split_front_matter"]

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)")


def split_front_matter(text: str) -> tuple[str | None, int]:
    """Return the YAML text of the front matter, and the offset at which the text after it begins.

    Without front matter that is None and 0, or 1 behind a byte order mark. An opening line that no ``---`` or ``...``
    closes is a thematic break.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None, 1 if text.startswith("\ufeff") else 0
    return text[opening.end() : closing.start()], closing.end()
