"""Texts of the web as passages: without what stands for text that isn't there, and bounded."""

from __future__ import annotations

import re

from obsirag.retrievers.bounded_text import bounded_text
from obsirag.retrievers.web.excerpts import excerpt

__all__ = ["page_text", "snippet_text", "title_text"]

_LONGEST_PAGE = 200_000
_LONGEST_TITLE = 300
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_PLACEHOLDER = re.compile(r"\\?\[\s*(?:\.{2,}|…+|\+\d+ chars)\s*\\?\]")
_LEADING = re.compile(rf"\A(?:\s++|{_PLACEHOLDER.pattern})++")
# In a page of code, `array[...]` is an index.
_PLACEHOLDER_OF_PAGE = re.compile(rf"(?<![A-Za-z0-9_)\]]){_PLACEHOLDER.pattern}")


def snippet_text(text: str, limit: int) -> str:
    """Return a snippet up to its first placeholder, such as ``[...]``; what stands behind it is of another place.

    Args:
        text: Any text; placeholders that it begins with are passed over.
        limit: Most characters.
    """
    text = _LEADING.sub("", _writable(text[:_LONGEST_PAGE]))
    return bounded_text(_before(_PLACEHOLDER, text).rstrip(), limit)


def page_text(text: str, limit: int, *, near: str = "") -> str:
    """Return a page's text, or the part of it that fits; a placeholder goes with the rest of its line.

    Args:
        text: Any text.
        limit: Most characters.
        near: Text whose words say which part fits.
    """
    lines = _writable(text[:_LONGEST_PAGE]).split("\n")
    text = "\n".join(_before(_PLACEHOLDER_OF_PAGE, line) for line in lines).strip()
    return bounded_text(excerpt(text, limit, near=near), limit)


def title_text(text: str) -> str:
    """Return a title on one line."""
    return bounded_text(" ".join(_writable(text[:_LONGEST_PAGE]).split()), _LONGEST_TITLE)


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _before(placeholder: re.Pattern[str], text: str) -> str:
    found = placeholder.search(text)
    return text[: found.start()].rstrip() if found else text
