"""What of a note's text a reader would see: hidden text is neither quoted nor sent to a model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from langchain_core.documents import Document

from obsirag.markdown import literal_spans

__all__ = ["hidden_spans", "visible_line", "visible_place", "visible_text", "without_invisible"]

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# Zero-width and bidirectional controls, soft hyphens, variation of tags (U+E0000…): they can hide instructions.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def hidden_spans(document: Document) -> list[tuple[int, int]]:
    """Return the spans of HTML comments in a chunk, in order; inside code they are text like any other.

    A chunk that was cut out of something larger may begin inside a comment; its end then shows that.
    """
    return _hidden_spans(document.page_content, is_partial=bool(document.metadata.get("is_partial")))


def _hidden_spans(text: str, *, is_partial: bool = False) -> list[tuple[int, int]]:
    if "-->" not in text and "<!--" not in text:
        return []
    literal = literal_spans(text)
    spans: list[tuple[int, int]] = []
    first_end = text.find("-->")
    begins_inside = is_partial and 0 <= first_end < (text.find("<!--") % (len(text) + 1))
    if begins_inside and not _inside(first_end, literal):
        spans.append((0, first_end + len("-->")))
    position = spans[0][1] if spans else 0
    while match := _COMMENT.search(text, position):
        literal_end = _inside(match.start(), literal)
        if literal_end:
            position = literal_end
            continue
        spans.append(match.span())
        position = match.end()
    return spans


def visible_text(document: Document) -> str:
    """Return the text of a chunk without what is hidden in it."""
    return _without(document.page_content, hidden_spans(document))


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces = []
    position = 0
    for start, end in spans:
        pieces.append(text[position:start])
        position = end
    return "".join([*pieces, text[position:]])


def visible_line(text: str) -> str:
    """Return what a reader would see of a title, a heading or a path, on one line."""
    # Behind a word nothing in a line opens a block.
    inside = f"x {' '.join(text.split())}"
    return " ".join(without_invisible(_without(inside, _hidden_spans(inside))[1:]).split())


def visible_place(title: str, headings: Iterable[object]) -> str:
    """Return where something stands in a note, on one line: the title and the headings above it."""
    return " › ".join(filter(None, dict.fromkeys(map(visible_line, [title, *map(str, headings)]))))


def without_invisible(text: str) -> str:
    """Return ``text`` without characters that take part in no glyph."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def _inside(offset: int, spans: list[tuple[int, int]]) -> int:
    """Return the end of the span that holds ``offset``; 0 if none does."""
    return next((end for start, end in spans if start <= offset < end), 0)
