"""What shows behind an end mark that its sentence goes on all the same."""

from __future__ import annotations

import re

__all__ = ["goes_on", "quote_goes_on"]

_PUNCTUATION = frozenset(",;:，、：–—")
_DASH = re.compile(r"-{1,3}>?(?=\s)")
_MARKS = "。！？；｡…⋯‥‼⁇⁈⁉.．!?"
_MARKS_ALONE = re.compile(rf"[{_MARKS}]++(?=\s|\Z)")
_QUOTE = frozenset("”’»」』＂＇\"'")
_BRACKETS = {"）": "（", ")": "(", "】": "【", "]": "[", "}": "{"}
_VISIBLE = re.compile(r"\S")
_LONGEST_BRACKET = 200  # characters
# Who said it; or a particle, Chinese, Japanese or Korean.
_SPEAKER_OR_PARTICLE = re.compile(
    r"(?:[A-Z][\w.]*+[ \t]){1,2}(?:said|says|asked|asks|answered|replied|added|wrote|shouted|cried|whispered)\b"
    r"|(?:[他她它我你]们?|大家|对方)(?:又|就|便|才)?(?:[低高大小]声|笑着?)?[说问道喊叫答]"
    r"|[的地得之等和与及或跟とはがをのもにで]|って|이?라고|하고|라며"
)


def goes_on(text: str, stop: int, following: int, end: int) -> bool:
    """Return whether the sentence goes on behind ``stop``: a comma, a colon, a dash or another end mark comes.

    Args:
        text: The text.
        stop: Offset after an end mark and what closes behind it.
        following: Offset of the next visible character, ``end`` if there is none.
        end: Offset to end at.
    """
    if following >= end:
        return False
    character = text[following]
    if character in _MARKS:
        return following == stop or _MARKS_ALONE.match(text, following, end) is not None
    if character not in _PUNCTUATION and not (character == "-" and _DASH.match(text, following, end)):
        return False
    return "\n" not in text[stop:following] and "\r" not in text[stop:following]


def quote_goes_on(text: str, sentence: int, at: int, behind: int, stop: int, following: int, end: int) -> bool:
    """Return whether a quote, a title or a bracket that ends in an end mark is part of a longer sentence.

    Args:
        text: The text.
        sentence: Offset after the sentence before.
        at: Offset of the end mark.
        behind: Offset after the end mark.
        stop: Offset after what closes behind it.
        following: Offset of the next visible character, ``end`` if there is none.
        end: Offset to end at.
    """
    if following >= end:
        return False
    closing = text[behind:stop]
    if not _QUOTE.isdisjoint(closing) and _SPEAKER_OR_PARTICLE.match(text, following, end):
        return True
    if following > stop:
        return False
    if "》" in closing or "〉" in closing:
        return True
    opening = _BRACKETS.get(closing[-1])
    if opening is None:
        return False
    # A bracket that holds a whole sentence is opened where that sentence begins.
    opened = text.rfind(opening, max(sentence, at - _LONGEST_BRACKET), at)
    return opened >= 0 and _VISIBLE.search(text, sentence, opened) is not None
