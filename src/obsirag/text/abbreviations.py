"""Words that take a full stop without ending a sentence, and what tells that one ends after them all the same."""

from __future__ import annotations

import re

__all__ = ["ABBREVIATION_TAILS", "ends_after_abbreviation", "is_abbreviation"]

_NEVER = """
    approx bzw c.f ca cca cf d.h e.g eg esp excl i.e ie incl resp viz vs vgl w.r.t z.b
    Mr Mrs Ms Mx Dr Prof Rev Hon Gen Col Capt Lt Sgt Maj Gov Sen Rep Messrs Mme Mt
"""
_MONTHS = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
_WITH_A_NUMBER = f"""
    art c col l ll ln max min n no nos nr op p para pp sec tab tel v ver
    {_MONTHS} Mon Tue Wed Thu Fri Sat Sun
"""
_WITH_A_NUMERAL = "app apt bd bk ch chap eq eqs ext fig figs pt ref refs rev rm sect vol"
_SOMETIMES_LAST = """
    al assn ave b.sc blvd bros co corp dept ed eds esq est etc ff ibid inc jr llc ltd m.sc misc ph.d sr st univ usw
"""
_KINDS = {
    word: kind
    for kind, words in {
        "never": _NEVER,
        "number": _WITH_A_NUMBER,
        "numeral": _WITH_A_NUMERAL,
        "last": _SOMETIMES_LAST,
    }.items()
    for word in words.split()
}
ABBREVIATION_TAILS = sorted({word[-4:] for word in _KINDS if word[-4:].isalpha() and len(word) > 3} | {"viii", "xiii"})
"""The last four characters of the longer ones, and of numerals: where none stands, a dot needs no second look."""
_ACRONYM = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_NUMBER = re.compile(rf"[§#(\[]*+\d|(?:{'|'.join(_MONTHS.split())})\.")
_NUMERAL = re.compile(r"[§#(\[]*+(?:\d|(?:[IVXLC]{2,}+|[B-HJ-Z]|A(?=[.\d]))(?![^\W\d_]))")
# Words that open sentences and hardly follow an abbreviation within one. Those of the second list are surnames too.
_OPENERS = """
    A After All Also Although And Another Any Are As At Because Before Both But By Can Could Did Does Each Every Finally
    First For From Has Have Here How However I If In Instead Is It Its Make Many More Most Next No Not Note Now On Once
    Or Other Our Please Second Should Since Some Such That The Their Then There These They This Those Though To Unless
    Until Use Was We Were What When Where Which While Who Why With Would Your
"""
_SURNAMES = "An Do He Her His Let My See Set She So Run You"
_QUOTES = "[\"'“‘(*_\\[`]*+"
_OPENER = re.compile(rf"{_QUOTES}(?:{'|'.join((_OPENERS + _SURNAMES).split())})(?![\w.])")
_OPENER_AFTER_INITIAL = re.compile(rf"{_QUOTES}(?:{'|'.join(_OPENERS.split())})(?![\w.])")


def is_abbreviation(word: str) -> bool:
    """Return whether ``word``, without its full stop, may be abbreviated or an initial.

    Titles, months and days are abbreviated if they have a capital, capitals throughout (``EST``) only with a number.
    """
    if len(word) == 1 and word.isupper():
        return True
    kind = _kind(word)
    if kind in ("never", "last") and word.isupper() and word.isalpha():
        return False
    return kind is not None or _ACRONYM.fullmatch(word) is not None


def ends_after_abbreviation(word: str, text: str, following: int, end: int) -> bool:
    """Return whether a sentence ends after an abbreviation or an initial.

    Some end none (``Dr.``), some end one if no number follows (``No. 5``, ``Fig. IV``), and the rest (``etc.``,
    ``U.S.``, ``p.m.``, initials) if the text ends or a word follows that opens sentences.

    Args:
        word: The abbreviation without its full stop, or a single letter.
        text: The text.
        following: Offset of the first visible character after the full stop.
        end: Offset to end at.
    """
    initial = len(word) == 1 and word.isupper()
    kind = None if initial else _kind(word)
    if kind == "never":
        return False
    if kind == "number":
        return not _NUMBER.match(text, following, end)
    if kind == "numeral":
        return not _NUMERAL.match(text, following, end)
    opener = _OPENER_AFTER_INITIAL if initial else _OPENER
    return following >= end or opener.match(text, following, end) is not None


def _kind(word: str) -> str | None:
    return _KINDS.get(word) or _KINDS.get(word.lower())
