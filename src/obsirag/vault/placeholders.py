"""Placeholders of templates, ``{{title}}`` and ``<% … %>``: what they become is known once the template is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

__all__ = ["holds_placeholder", "placeholders_in", "substitute"]

_OPENING = re.compile(r"<%|\{\{")

# None reaches beyond where the next one of its kind begins, so that openings without end cost no more than one look.
_INSIDE = r"(?:[^{}\r\n]|\}(?!\})|\{(?!\{))*+"
_CURLY = rf"\{{\{{\{{(?!\{{){_INSIDE}\}}\}}\}}|\{{\{{(?!\{{){_INSIDE}\}}\}}"
_SCRIPT = r"<%(?:[^%<\r\n]|%(?!>)|<(?!%))*+%>"
_LONG_SCRIPT = r"<%(?:[^%<]|%(?!>)|<(?!%))*+%>"

_ONE = rf"(?P<one>{_CURLY}|{_SCRIPT})"
_LONE = rf"(?P<lone>(?:\A|(?<=[\r\n]))(?:(?:{_CURLY}|{_LONG_SCRIPT})[ \t]*+)++(?=[\r\n]|\Z))"
_QUOTED = r"""(?<![^\s\[{,])(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')"""
_COMMENT = r"(?<!\S)#[^\r\n]*+"

_ALL = re.compile(f"{_LONE}|{_ONE}")
_UNQUOTED = re.compile(f"{_LONE}|{_COMMENT}|{_QUOTED}|{_ONE}", re.DOTALL)
_NO_LINE_END = re.compile(r"[^\r\n]+")


def holds_placeholder(text: str) -> bool:
    """Say whether a placeholder begins in ``text``; it may go on behind it, as links end at ``|`` and ``#``."""
    return _OPENING.search(text) is not None


def substitute(text: str, stand_in: Callable[[str], str], *, in_quotes: bool) -> str:
    """Return YAML without what placeholders would mean in it; its lines stay where they are.

    Args:
        text: The YAML.
        stand_in: Returns what is to stand in the place of a placeholder.
        in_quotes: Whether those in quotes and comments are replaced too. They mean nothing to YAML, unless the quotes
            are the placeholder's own, as in ``"<% f("x") %>"``.
    """

    def replace(found: re.Match[str]) -> str:
        if found.lastgroup == "lone":
            return _NO_LINE_END.sub("", found.group())  # a command, which gives no value to a field
        return stand_in(found.group()) if found.lastgroup == "one" else found.group()

    return (_ALL if in_quotes else _UNQUOTED).sub(replace, text)


def placeholders_in(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the placeholders in YAML, each with whether it fills lines of its own, so that it belongs to no field."""
    for found in _ALL.finditer(text):
        yield found.group(), found.lastgroup == "lone"
