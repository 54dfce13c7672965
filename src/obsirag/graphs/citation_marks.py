"""The ``[n]`` marks of an answer: found, checked, put into one form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from obsirag.markdown import literal_spans

__all__ = ["Mark", "find_marks", "keep_marks", "renumber_marks", "says_something", "without_marks"]

_WORD_BEFORE_NUMBER = (
    r"(?:(?:passage|source|note|doc|document|ref|citation|段落|来源|资料|文档|笔记|引用|片段|文献)s?\s*:?\s*)?"
)
_NUMBERS = rf"{_WORD_BEFORE_NUMBER}\d{{1,3}}(?:\s*[,，、;；\-–—]\s*{_WORD_BEFORE_NUMBER}\d{{1,3}})*"
_MARK = re.compile(
    rf"(?<![\[!])\\?\[\s*(?P<square>{_NUMBERS})\s*\\?\](?!\])|[【［]\s*(?P<wide>{_NUMBERS})\s*(?:†[^】］\n]{{0,80}})?[】］]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_CUT_MARK = re.compile(r"\[[\d\s,]{0,20}\Z")
_LETTER = re.compile(r"[^\W_]")
_RANGE = re.compile(r"(\d+)\s*[-–—]\s*(\d+)")
_WORD_BEFORE = re.compile(r"[A-Za-z0-9_.$]+\Z")
# What may follow a mark that stands right behind a Latin word: "boils[1]." is a citation, "items[1] = x" is code.
_SENTENCE_GOES_ON = re.compile(r"\s*(?:[.,;:!?。，；：！？、)）]|$|\[\d|【\d)", re.MULTILINE)
_PLAIN_WORD = re.compile(r"(?:[A-Za-z][a-z]{3,}|[A-Z]{2,}|\d+)\Z")
_LONGEST_RANGE = 20
# Behind the bracket of somebody's own `[7]`, a word joiner: it looks the same, and is no citation of the answer.
_NO_MARK = "\u2060"
_CONTEXT = 60


class Mark(NamedTuple):
    """One mark.

    Args:
        start: Offset of its first character.
        end: Offset after its last.
        numbers: The numbers in it, in order.
    """

    start: int
    end: int
    numbers: tuple[int, ...]


def find_marks(text: str) -> list[Mark]:
    """Return the citation marks of an answer, in order.

    ``[1]``, ``[1, 2]``, ``[1-3]``, ``【1】`` and ``[来源 1]`` are marks. An index (``a[3]``), what stands in code or
    maths, links, link definitions and footnotes (``[^1]``) are not.
    """
    return list(_iterate_marks(text))


def keep_marks(text: str, known: Collection[int]) -> tuple[str, list[int]]:
    """Return ``text`` with its marks written as ``[1][2]``, and the numbers that had to go.

    Args:
        text: The answer.
        known: The numbers that exist; others are taken out.
    """
    marks = list(_iterate_marks(text))
    unknown = dict.fromkeys(number for mark in marks for number in mark.numbers if number not in known)
    edge = marks[-1].end if marks else 0
    after = text[edge:]
    # From the end on: whether a mark can stand as it is depends on what will stand behind it.
    for index in range(len(marks) - 1, -1, -1):
        mark, start = marks[index], marks[index - 1].end if index else 0
        kept = [number for number in mark.numbers if number in known]
        before = text[start : mark.start]
        if kept:
            follows_mark = not before and index > 0 and not unknown.keys() >= set(marks[index - 1].numbers)
            after = _written(text[: mark.start], kept, after, follows_mark=follows_mark)
        elif not after[:1].isalnum():
            before = before.rstrip(" ")
        after = f"{before}{after}"
    return after, list(unknown)


def renumber_marks(text: str, numbers: Mapping[int, int]) -> str:
    """Return ``text`` with other numbers in its marks, each mark in its one form.

    Args:
        text: The answer.
        numbers: The new number of each; marks without one are taken out.
    """
    pieces: list[str] = []
    position = 0
    for mark in find_marks(text):
        new = dict.fromkeys(numbers[number] for number in mark.numbers if number in numbers)
        pieces += (text[position : mark.start], *(f"[{number}]" for number in new))
        position = mark.end
    return "".join([*pieces, text[position:]])


def without_marks(text: str, *, but_ending_at: Collection[int] = ()) -> str:
    """Return ``text`` with its marks made such that they look the same and are none.

    Args:
        text: The text.
        but_ending_at: Offsets behind the marks that stay.
    """
    pieces: list[str] = []
    position = 0
    for mark in find_marks(text):
        if mark.end not in but_ending_at:
            bracket = mark.start + text[mark.start : mark.end].startswith("\\")
            pieces += (text[position : bracket + 1], _NO_MARK)
            position = bracket + 1
    return "".join([*pieces, text[position:]])


def says_something(text: str) -> bool:
    """Say whether there is a word beside the marks: small models answer with bare numbers."""
    return bool(_LETTER.search(_CUT_MARK.sub("", keep_marks(text, ())[0])))


def _iterate_marks(text: str) -> Iterator[Mark]:
    if "[" not in text and "【" not in text and "［" not in text:
        return
    literal = literal_spans(text)
    literal_ends = [last for _, last in literal]
    last_end = -1
    for match in _MARK.finditer(text):
        start, end = match.span()
        nearest = bisect_left(literal_ends, start + 1)
        if nearest < len(literal) and literal[nearest][0] < end:
            continue
        if not (start == last_end or _is_mark(text, match)):
            continue
        last_end = end
        yield Mark(start, end, tuple(_numbers(match["square"] or match["wide"])))


def _written(before: str, numbers: Iterable[int], after: str, *, follows_mark: bool) -> str:
    """Return a mark in its one form and what is behind it, apart from what would make something else of it: a link."""
    written = "".join(f"[{number}]" for number in numbers)
    # Right behind another mark it is one, as it would be behind a full stop.
    before = "。" if follows_mark else before[-_CONTEXT:]
    around = f"{before}{written}{after[:_CONTEXT]}"
    match = _MARK.match(around, len(before))
    # Behind a backslash it would be an escaped bracket, which is read as a mark only where a mark could stand.
    stands = match and not before.endswith("\\") and _is_mark(around, match)
    if stands:
        return f"{written}{after}"
    # Another blank at the beginning of a line could make code of it.
    return f" {written} {after}" if before.rpartition("\n")[2].strip() else f"{written} {after}"


def _is_mark(text: str, match: re.Match[str]) -> bool:
    if match["wide"]:
        return True
    start, end = match.span()
    following = text[end : end + 1]
    before = text[max(0, start - _CONTEXT) : start]
    if following == "(" or (following == ":" and not before.rpartition("\n")[2].strip()):
        return False  # a link, a link's definition
    if before.endswith(("()", "]")):
        return False
    word = _WORD_BEFORE.search(before)
    if word is None:
        return True
    if word[0].endswith(".") and _PLAIN_WORD.fullmatch(word[0].rstrip(".")):
        return True  # behind a full stop; no code looks so
    return bool(_PLAIN_WORD.fullmatch(word[0]) and _SENTENCE_GOES_ON.match(text, end))


def _numbers(inside: str) -> list[int]:
    return list(dict.fromkeys(int(number) for number in _NUMBER.findall(_RANGE.sub(_expand, inside))))


def _expand(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[2])
    if not first < last <= first + _LONGEST_RANGE:
        return f"{first},{last}"
    return ",".join(map(str, range(first, last + 1)))
