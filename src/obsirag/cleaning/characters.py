"""Steps that change single characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from obsirag.records import Edit

__all__ = ["control_characters", "full_width", "line_ends", "ocr_spaces", "zero_width"]

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+")
# Vertical tab, form feed and next line part words of a line; the others stand between nothing.
_PARTING = frozenset("\x0b\x0c\x85")
_LINE_ENDS = ("\n", "\r", "")

_INVISIBLE = re.compile(r"[\u200b-\u200d\u2060-\u2064\ufeff\u00ad\U000e0000-\U000e007f]+")
_JOINERS = "\u200c\u200d"
_TAGS = re.compile(r"[\U000e0000-\U000e007f]")
_FLAG = "\U0001f3f4"

_FULL_WIDTH = re.compile(r"[０-９Ａ-Ｚａ-ｚ]+")
_FULL_WIDTH_OFFSET = 0xFEE0

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0003ffff，。！？；：、“”‘’（）《》【】…—"
_OCR_SPACES = re.compile(rf"(?<=[{_CJK}])[ \t\u3000]+(?=[{_CJK}])")


def line_ends(text: str) -> Iterator[Edit]:
    r"""Make every ``\r\n`` and ``\r`` a ``\n``."""
    for found in re.finditer(r"\r\n?", text):
        yield Edit(found.start(), found.end(), "\n")


def control_characters(text: str) -> Iterator[Edit]:
    """Take out control characters; those that part two words of a line become a blank."""
    for found in _CONTROL.finditer(text):
        start, end = found.span()
        is_inside = start > 0 and text[start - 1] not in _LINE_ENDS and text[end : end + 1] not in _LINE_ENDS
        yield Edit(start, end, " " if is_inside and _PARTING.intersection(found.group()) else "")


def zero_width(text: str) -> Iterator[Edit]:
    """Take out characters that nobody sees: zero-width ones, soft hyphens, byte order marks, tag characters.

    Joiners stay where they join: in emoji and in scripts that need them; tags stay in flags.
    """
    for found in _INVISIBLE.finditer(text):
        before = text[max(0, found.start() - 2) : found.start()]
        after = text[found.end() : found.end() + 1]
        kept = ""
        if found.group() in _JOINERS and _can_be_joined(before[-1:]) and _can_be_joined(after):
            kept = found.group()
        elif before.endswith(_FLAG) and _TAGS.fullmatch(found.group()[-1]):
            kept = "".join(_TAGS.findall(found.group()))
        if kept != found.group():
            yield Edit(found.start(), found.end(), kept)


def _can_be_joined(character: str) -> bool:
    # Full-width forms are Latin letters and the like, which no joiner joins.
    return character > "\u0300" and not "\uff00" <= character <= "\uffef"


def full_width(text: str) -> Iterator[Edit]:
    """Make full-width Latin letters and digits half-width; punctuation stays, it belongs to Chinese."""
    for found in _FULL_WIDTH.finditer(text):
        yield Edit(found.start(), found.end(), "".join(chr(ord(each) - _FULL_WIDTH_OFFSET) for each in found.group()))


def ocr_spaces(text: str) -> Iterator[Edit]:
    """Take out blanks between two CJK characters, as text recognition leaves them."""
    for found in _OCR_SPACES.finditer(text):
        yield Edit(found.start(), found.end())
