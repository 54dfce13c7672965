"""Where sentences end, in Chinese and English.

The frame is that of the sentence rules of Unicode Standard Annex #29: an end mark takes the marks that close behind it
along (SB9); a dot within a number (SB6) or a name (SB7), or before a small letter (SB8), ends nothing, nor does any
mark before a comma, a colon or a dash (SB8a); the end of a paragraph is one (SB4). The annex knows neither
abbreviations nor Markdown: those rules are the project's own, as are three departures. A single line end is a blank,
a mark that opens what follows isn't taken along, and a semicolon of full width is an end. Where no rule decides, the
sentence goes on. ``docs/decisions/0004-sentence-ends-by-rule.md`` says why no library does this.
"""

from __future__ import annotations

import re

from obsirag.text.abbreviations import ABBREVIATION_TAILS
from obsirag.text.characters import CJK
from obsirag.text.continuations import goes_on, quote_goes_on
from obsirag.text.full_stops import is_full_stop
from obsirag.text.open_marks import OpenMarks

__all__ = ["sentence_ends"]

_WIDE = "。！？；｡…⋯‥‼⁇⁈⁉"
_NARROW = ".．!?"
_EMOJI = "\u200d\ufe0f\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001faff"
_CLOSING = r"”’»」』）】》〉〕｝＂＇)\]}"
_BLANK = r"[^\S\r\n]"
_ABBREVIATED = "|".join(rf"{tail}\." for tail in ABBREVIATION_TAILS)
# One class of characters stands first, alone: the search skips to the next of them fast.
_END = re.compile(
    rf"""
    [{_WIDE}{_NARROW}\r\n<]
    (?:
        (?<=[{_WIDE}{_NARROW}]) [{_WIDE}{_NARROW}]*+
        (?:(?<=[{_WIDE}])()|)  # 1: needs no blank behind it
        (  # 2: what closes, or belongs to the sentence although it stands behind its mark
            (?:
                [{_CLOSING}"'*_`{_EMOJI}]++ | == | ~~ | [“‘](?=\s|\Z) | </\w{{1,10}}+>
                | \[\^[^\s\[\]]{{1,32}}+\](?![(:]) | \[\d{{1,3}}+(?:[,–-]\ ?\d{{1,3}}+)*+\](?![(\[])
            )*+
            (?:(?:{_BLANK}++(?:[{_EMOJI}]++|\^[A-Za-z0-9-]++))++(?={_BLANK}*+(?:[\r\n]|\Z)))?+
        )
        (?(1)|(?=\s|\Z|[^\x00-\u2e7f]))
        (?=\s*+(\S?))  # 3: what follows
        (?:(?<=[a-z]{{4}}[.!?])(?<!{_ABBREVIATED})(?=\s[A-Z])()| (?<=[{CJK}][。！？；])(?=[{CJK}])() |)  # 4, 5: plain
      | (?<=[\r\n]) (?:(?<=\r)\n)?+
        (?:(?<=[ ]{{2}}[\r\n]) | (?<=[ ]{{2}}\r\n) | (?<=\\[\r\n]) | (?<=\\\r\n) | (?=(?:{_BLANK}|>)*+[\r\n]))
        [\s>]*+
      | (?<=<) [bB][rR]{_BLANK}*+/?+>
    )
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"[^\W_]")
_BLANK_LINE = re.compile(rf"(?:\r\n?+|\n)(?:{_BLANK}|>)*+[\r\n]")
_AMBIGUOUS = re.compile(r"[\"'*_`=~]")
_OPENING = frozenset("([{（【「『《〈“‘«<")
_SAME = frozenset("\"'`*_")
_ELLIPSIS = ".…⋯‥"
_AFTER_A_LIST = "的等之"
_LONGEST_ADDRESS = 200  # characters


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> list[int]:
    """Return the offsets after each sentence in ``text[start:end]``, quotes and brackets that close behind it included.

    What stands before ``start`` and after ``end`` doesn't matter. Every end lies behind a visible character, and
    between two of them is a word. The time is linear in the length, whatever the text.

    Args:
        text: The text; it may hold Markdown.
        start: Offset to begin at.
        end: Offset to end at; the text's end if None. The end itself is no sentence end unless a sentence ends there.

    Returns:
        Rising offsets, each after ``start`` and at most ``end``.
    """
    end = len(text) if end is None else end
    ends: list[int] = []
    marks = OpenMarks(text, start, end)
    sentence = searched = start
    for match in _END.finditer(text, start, end):
        at = match.start()
        if (match.lastindex or 0) > 3 and at - 4 >= start:  # the plain ones, which are most
            sentence = searched = at + 1
            ends.append(sentence)
            continue
        if text[at] in "\r\n":
            stop = _before_line_end(text, sentence, at) if match.end() < end else 0
            if _BLANK_LINE.match(text, at, match.end()):
                marks.restart(match.end())
        elif text[at] == "<":
            stop = match.end()
        else:
            stop = _end_of(match, text, start, sentence, end, marks)
        if stop <= sentence:
            continue
        if not _WORD.search(text, searched, stop):
            searched = stop
            continue
        ends.append(stop)
        sentence = searched = stop
    return ends


def _before_line_end(text: str, sentence: int, position: int) -> int:
    while position > sentence and text[position - 1].isspace():
        position -= 1
    return position


def _end_of(match: re.Match[str], text: str, start: int, sentence: int, end: int, marks: OpenMarks) -> int:
    """Return the offset after the sentence that the end mark of ``match`` ends, 0 if it ends none."""
    at, behind = match.start(), match.start(2)
    stop, following = match.end(2), match.start(3)
    wide = match[1] is not None
    if stop > behind and _AMBIGUOUS.search(text, behind, stop):
        closed = marks.close_until(behind, stop)
        if closed < stop:
            stop = following = closed
            if not wide and text[closed] < "\u2e80":
                return 0
    before = text[at - 1] if at > start else ""
    if before in _OPENING or (stop > behind and before in _SAME and text[behind] == before):
        return 0  # a mark that is spoken of, or left out text
    if goes_on(text, stop, following, end):
        return 0
    run = text[at:behind]
    if run in (".", "．"):
        ended = is_full_stop(text, start, sentence, at, following, end)
    elif not run.strip(_ELLIPSIS):
        ended = _ellipsis_ends(text, before, wide, stop, following, end)
    else:
        ended = wide or _narrow_mark_ends(text, sentence, at, stop > behind, stop, following, end)
    if ended and stop > behind:
        ended = not quote_goes_on(text, sentence, at, behind, stop, following, end)
    return stop if ended else 0


def _ellipsis_ends(text: str, before: str, wide: bool, stop: int, following: int, end: int) -> bool:
    """Return whether an ellipsis ends its sentence; between blanks, or before a small letter or digit, words go on."""
    if following >= end:
        return True
    character = text[following]
    if following == stop and (not wide or character in _AFTER_A_LIST or (character.isascii() and character.isalnum())):
        return False
    if character.islower() or character.isdigit():
        return False
    return not before.isspace() or "\n" in text[stop:following] or "\r" in text[stop:following]


def _narrow_mark_ends(text: str, sentence: int, at: int, closed: bool, stop: int, following: int, end: int) -> bool:
    """Return whether ``!`` or ``?`` ends a sentence rather than a quote within it, an operator or an address."""
    character = text[following : min(following + 1, end)]
    if character.islower():
        return not closed and not (at > sentence and text[at - 1].isspace())
    if character and following == stop:
        return "://" not in text[max(sentence, at - _LONGEST_ADDRESS) : at].rpartition(" ")[2]
    return True
