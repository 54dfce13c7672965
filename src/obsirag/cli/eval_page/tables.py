"""Tables that scroll where there is no room for them, by keyboard too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from obsirag.cli.run_page.words import Words

__all__ = ["letters", "named", "table"]


def table(title: str, head: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """Return a table.

    Args:
        title: What it is called where it isn't seen; text.
        head: The names of its columns, as HTML.
        rows: Its rows, as HTML.
        kind: Its class.
    """
    names = "".join(f'<th scope="col">{each}</th>' for each in head)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(title)}">'
        f'<table class="{kind}"><thead><tr>{names}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def letters(count: int) -> Sequence[str]:
    """Return the names of the configurations in tables."""
    return "AB"[:count]


def named(name: str, words: Words) -> str:
    """Return the name of a kind or a language, or the word for none."""
    return words("text", text=name) if name.strip() else words("unnamed")
