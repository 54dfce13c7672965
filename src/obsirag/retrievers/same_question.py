"""Whether two queries of nearly the same vector may share their hits.

An embedding puts "enable X" and "disable X", "version 4" and "version 5" next to each other. So beside the vectors the
words are compared that turn a question into another one: numbers, identifiers, negations and their like. The lists are
wide on purpose: a word too many costs a search, a word too few gives a wrong answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from obsirag.text.characters import CJK

__all__ = ["asks_the_same"]

_NEGATIONS = """
no not none nor neither never nothing nobody nowhere cannot without except unless hardly barely fail fails failed lack
stop avoid instead rather only
"""
_OPPOSITES = """
on off enable enables enabled with include exclude allow deny forbid permit block accept reject refuse add remove insert
delete create destroy open close start begin end finish show hide lock increase decrease raise lower reduce grow up down
before after first last next previous min max minimum maximum more less most least fewer many few true false yes read
write get set push pull export encode encrypt compress connect upgrade downgrade left right top bottom front back in out
inside outside above below over under public private client server source target parent child input output old new
earlier later always sometimes all any both either some every each today tomorrow yesterday monday tuesday wednesday
thursday friday saturday sunday january february march april may june july august september october november december
"""
_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve hundred thousand million half once twice second
third double single
"""
_DECISIVE = frozenset(f"{_NEGATIONS} {_OPPOSITES} {_NUMBERS}".split())
_TURNED = re.compile(r"(?:anti|de|dis|il|im|in|ir|mis|non|un)[a-z]{3,}|[a-z]+less|\w+n't")
# Each character for itself: what it means in a word decides less than that one question has it and the other has not.
_DECISIVE_CJK = re.compile(
    "[不没沒无無非未别別勿莫否禁免拒毋缺除反停止消"
    "开開启啟关關闭閉增减減加删刪添去上下前后後左右内內外大小多少高低长長短快慢早晚新旧舊进進出入导導收发發读讀写寫真假正负負对對错錯"
    "升降始终終首末先最全部每只仅僅同异異公私主从從断斷连連解锁鎖今明昨春夏秋冬东東南西北"
    "零〇一二三四五六七八九十百千万萬亿億两兩半倍]"
)
_TOKEN = re.compile(
    rf"""
    (?P<quoted> `[^`]+` | "[^"]+" | “[^”]+” | 「[^」]+」 | 《[^》]+》)
  | (?P<cjk> [{CJK}]+)
  | (?P<flag> (?<![\w-])--?[A-Za-z][\w-]*)
  | (?P<word> (?:(?<![\w.)-])[-+−])? [^\W{CJK}]+(?:[-.:/\\@&'_]+[^\W{CJK}]+)* (?:\+\+|\#)?)
  | (?P<sign> !=|[<>=≠≤≥]=? | [%$€¥£°&|^~])
    """,
    re.VERBOSE,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:。！？：])\s*\Z")


def asks_the_same(one: str, other: str) -> bool:
    """Say whether no word tells two queries apart that would change what is asked.

    They differ if one has a number, an identifier or a negation that the other doesn't have at the same place among
    them, or if they are the same words in another order. A plain word in the place of another (``lumen``, ``nanite``)
    isn't noticed: that is left to the vectors.

    Args:
        one: A query.
        other: Another one, or the same.
    """
    words, other_words = _words(one), _words(other)
    if words == other_words:
        return True
    if Counter(words) == Counter(other_words):
        return False
    return _decisive(one) == _decisive(other)


def _words(query: str) -> list[str]:
    words: list[str] = []
    for match in _TOKEN.finditer(_folded(query)):
        token = match[0].casefold()
        words += token if match.lastgroup == "cjk" else [token]
    return words


def _decisive(query: str) -> list[str]:
    """Return the words that decide what is asked, in order."""
    query = _folded(query)
    has_cjk = bool(re.search(f"[{CJK}]", query))
    found: list[str] = []
    for match in _TOKEN.finditer(query):
        token = match[0]
        if match.lastgroup == "cjk":
            found += _DECISIVE_CJK.findall(token)
        elif match.lastgroup != "word" or _decides(token, query[: match.start()], in_cjk=has_cjk):
            found.append(token.casefold())
    return found


def _decides(word: str, before: str, *, in_cjk: bool) -> bool:
    plain = word.casefold()
    if plain in _DECISIVE or _TURNED.fullmatch(plain):
        return True
    if any(not character.isalpha() and character != "'" for character in word):
        return True  # digits, joints, signs
    if in_cjk or any(character.isupper() for character in word[1:]):
        return True  # a Latin word in Chinese text is most often a name
    return word[0].isupper() and not (_SENTENCE_START.search(before) and len(word) > 1) and word != "I"


def _folded(query: str) -> str:
    return unicodedata.normalize("NFKC", query).replace("’", "'")
