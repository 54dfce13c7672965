"""How much of a note its chunks repeat in their metadata: never more than a bounded part, however much there is."""

from __future__ import annotations

__all__ = ["LONGEST_CONTEXT", "LONGEST_NAME", "LONGEST_OWN_FIELDS", "LONGEST_SECTIONS", "MOST_TAGS", "shortened"]

LONGEST_NAME = 300
"""Characters that are kept of a heading, a title or a code's language; a tag of the note that is longer is left out."""

MOST_TAGS = 100
"""How many of the note's tags every chunk repeats, beside those in its own text."""

LONGEST_CONTEXT = 10_000
"""Characters of a fence's first line or a table's head, beyond which no part of it repeats them."""

LONGEST_OWN_FIELDS = 10_000
"""Characters of JSON that a note's own fields may take together."""

LONGEST_SECTIONS = 10_000
"""Characters that the paths of all sections in a chunk may take together, as JSON."""


def shortened(name: str) -> str:
    """Return ``name``, or its beginning with an ellipsis if it has more than ``LONGEST_NAME`` characters."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"
