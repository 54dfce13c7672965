"""Text of notes as text of a page: nothing in it is markup, and every character can be told from the page."""

from __future__ import annotations

import html
import re

__all__ = ["as_text"]

# What markup is made of; what a page cannot hold (control characters, lone surrogates, what is no character); and what
# turns the direction of writing for all that follows.
_SPECIAL = re.compile(r"[&<>\"'\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_MARKUP = "&<>\"'"
_PICTURES = 0x2400
"""Where Unicode's pictures of the control characters begin, in their order."""


def as_text(text: str) -> str:
    """Return ``text`` as HTML, its characters in order.

    What a page cannot hold becomes ``<span class="odd" title="U+…">`` with a stand-in, so that nothing is lost.
    """
    return _SPECIAL.sub(lambda found: _shown(found.group()), text)


def _shown(character: str) -> str:
    if character in _MARKUP:
        return html.escape(character)
    kind = "odd return" if character == "\r" else "odd"
    return f'<span class="{kind}" title="U+{ord(character):04X}">{_stand_in(character)}</span>'


def _stand_in(character: str) -> str:
    if character == "\x7f":
        return "\N{SYMBOL FOR DELETE}"
    return chr(_PICTURES + ord(character)) if character < " " else "\N{REPLACEMENT CHARACTER}"
