"""Whether a dot ends a sentence or belongs to what it follows: a number, a list mark, an abbreviation, a name."""

from __future__ import annotations

import re

from obsirag.text.abbreviations import ends_after_abbreviation, is_abbreviation
from obsirag.text.characters import CJK

__all__ = ["is_full_stop"]

_LONGEST_WORD = 24  # characters before a dot that are looked at
_LONGEST_LABEL = 40
_FURTHEST_STOP = 200  # characters: how near another kind of full stop tells what this text uses
_CJK = re.compile(f"[{CJK}]")
_WORD_BACKWARDS = re.compile(rf"(?:[^\W_{CJK}]|[.'’])*+")
_SYMBOLS = frozenset("+°/\\&#@=<>|~$%")  # a letter behind one of these is no initial
_NUMBER = r"\d++(?:[.．]\d++)*+"
_LABEL = re.compile(
    rf"""
    (?:[\W_]*+ | .*[:：]\s*+(?=1\Z))
    (?:(?:Appendix|Case|Chapter|Day|Example|Exercise|Figure|Item|Lesson|Level|Method|Note|Option|Part|Phase|Problem
       |Question|Rule|Section|Stage|Step|Table|Task|Week|第|例|图|表|注|步骤|方法|方案|附录|问题|练习|规则|要点|选项|阶段|任务)\s*+)?
    (?:{_NUMBER} | [A-Za-z] | [ivx]++ | [IVX]++ | [一二三四五六七八九十]{{1,3}}+)
    [章节步条篇部]?+
    """,
    re.VERBOSE | re.DOTALL,
)
_ROMAN = frozenset("ii iii iv vi vii viii ix xi xii xiii xiv xv".split())  # noqa: SIM905 - a list of words reads better so
_FILE_NAME_GOES_ON = re.compile(r"[\w.-]{0,40}?(?:\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w.])|[/\\@])")


def is_full_stop(text: str, start: int, sentence: int, dot: int, following: int, end: int) -> bool:
    """Return whether the single dot at ``dot`` ends a sentence.

    Args:
        text: The text.
        start: Offset that the text is looked at from.
        sentence: Offset after the sentence before.
        dot: The dot's offset. Behind it and the marks that close there is a blank, a character of a script without
            blanks, or the end.
        following: Offset of the first visible character behind those marks, ``end`` if there is none.
        end: Offset to end at.
    """
    next_character = text[following : min(following + 1, end)]
    if dot == start or next_character.islower():
        return False
    head = text[max(sentence, dot - _LONGEST_WORD) : dot]
    word = head.rpartition(" ")[2]
    attached = following < end and not text[following - 1].isspace()
    if len(word) > 1 and word.isalpha() and word.isascii() and not attached and not is_abbreviation(word):
        return word.lower() not in _ROMAN or not _is_label(text, sentence, dot)
    if not head or _is_label(text, sentence, dot):
        return False
    if attached and _goes_on(text, start, dot, following, end, word):
        return False
    found = _WORD_BACKWARDS.match(head[::-1])
    word = found[0][::-1] if found else ""
    if is_abbreviation(word) and not (len(word) == 1 and head[-2:-1] in _SYMBOLS):
        return ends_after_abbreviation(word, text, following, end)
    return True


def _is_label(text: str, sentence: int, dot: int) -> bool:
    """Return whether the line or the sentence so far only numbers what follows."""
    low = max(sentence, dot - _LONGEST_LABEL)
    line = max(text.rfind("\n", low, dot), text.rfind("\r", low, dot))
    if line < 0 and low > sentence:
        return False
    return _LABEL.fullmatch(text, max(low, line + 1), dot) is not None


def _goes_on(text: str, start: int, dot: int, following: int, end: int, token: str) -> bool:
    """Return whether a dot with a wide character right behind it is part of a number, a file name or an address."""
    if text[following].isalnum() and not _CJK.match(text, following):
        return True
    if any(character in token for character in "/\\@") or _FILE_NAME_GOES_ON.match(text, following, end):
        return True
    # Who writes full stops of their own script doesn't use a dot for one between its characters.
    return (
        _CJK.match(text, dot - 1) is not None
        and text.find("。", max(start, dot - _FURTHEST_STOP), min(end, dot + _FURTHEST_STOP)) >= 0
    )
