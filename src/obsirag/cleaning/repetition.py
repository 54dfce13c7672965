"""Finding the lines that come again from page to page."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from obsirag.cleaning.pages import Page
from obsirag.markdown import Span

__all__ = ["repeated_lines"]

_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+")
_NUMBER = re.compile(r"\d{1,9}")
_HEADING = re.compile(r"#{1,6}[ \t]")
# Rows of tables, tags of HTML and quotes come again for reasons of their own.
_STRUCTURE = ("|", "<", ">")

_Numbers = tuple[int, ...]
_Occurrence = tuple[Page, Span, _Numbers]


def repeated_lines(
    text: str,
    pages: Sequence[Page],
    candidates: Iterable[tuple[Page, Span]],
    *,
    min_share: float,
    min_pages: int,
    numbers_aside: bool,
) -> Iterator[Span]:
    """Yield those of the candidates that stand on enough pages.

    Two lines are the same if they differ only in blanks, in letter case and in full-width forms; with
    ``numbers_aside`` also in numbers that grow with the page, as page numbers do. A heading's numbers always count. A
    line without a letter or digit, a table's row, a tag and a quote are never among them.

    Args:
        text: The text.
        pages: All pages of the document.
        candidates: The lines to look at.
        min_share: On which share of the pages a line must stand, over 0 and at most 1.
        min_pages: On how many pages it must stand at least.
        numbers_aside: Whether page numbers don't count.
    """
    groups: defaultdict[str, list[_Occurrence]] = defaultdict(list)
    for page, line in candidates:
        key, numbers = _key(text[slice(*line)], numbers_aside)
        if key:
            groups[key].append((page, line, numbers))
    for occurrences in groups.values():
        if len(occurrences) < min_pages:
            continue
        alike = _in_step(occurrences)
        count = len({page.number for page, _, _ in alike})
        if count >= min_pages and count / len(pages) >= min_share:
            yield from (line for _, line, _ in alike)


def _key(line: str, numbers_aside: bool) -> tuple[str, _Numbers]:
    """Return what a line has in common with the same line elsewhere, and its numbers if they don't belong to that."""
    shown = line.strip()
    if shown.startswith(_STRUCTURE):
        return "", ()
    key = _UNSEEN.sub("", unicodedata.normalize("NFKC", shown).casefold())
    if not any(map(str.isalnum, key)):
        return "", ()
    if not numbers_aside or _HEADING.match(shown):
        return key, ()
    return _NUMBER.sub("\0", key), tuple(int(each) for each in _NUMBER.findall(key))


def _in_step(occurrences: list[_Occurrence]) -> list[_Occurrence]:
    """Return the occurrences each of whose numbers stays the same or grows by one a page, as most of them do."""
    alike = occurrences
    for place in range(len(occurrences[0][2])):
        constant = Counter(numbers[place] for _, _, numbers in alike).most_common(1)[0]
        growing = Counter(numbers[place] - page.number for page, _, numbers in alike).most_common(1)[0]
        if constant[1] >= growing[1]:
            alike = [each for each in alike if each[2][place] == constant[0]]
        else:
            alike = [each for each in alike if each[2][place] - each[0].number == growing[0]]
    return alike
