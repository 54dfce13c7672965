"""What a text is about: its content terms."""

from __future__ import annotations

import re
from functools import lru_cache

from obsirag.text.tokens import index_terms

__all__ = ["STOP_WORDS", "content_terms", "cut_asking_words", "stem_of"]

# Words that ask, point or connect. Chinese ones are cut out before pairs of characters are made, so that a pair never
# reaches across one of them.
_ASKING_ZH = re.compile(
    r"为什么|为啥|怎么样|怎么|怎样|如何|什么时候|什么|哪一?[些个家种篇条里位]|哪|多少|几[个种条点]|是不是|有没有|能不能|可不可以|会不会|"
    r"要不要|可以|应该|需要|请问|帮我|给我|告诉我|我们|你们|他们|它们|咱们|自己|这个|那个|这些|那些|这样|那样|这里|那里|一下|一个|一共|"
    r"分别|各是|如果|要是|的话|因为|所以|但是|或者|以及|而且|还是|就是|不是|没有|时候|之后|之前|以后|以前|到底|居然|一直|"
    r"会(?![议话员])|要(?!求)|能(?!力)|过(?![程滤期])|有(?!效)|在(?!线)|"
    r"[的了吗呢吧啊呀么是和与或把被给让从到我你您他她它这那就都也还又再很不没该得着谁]"
)
_STOP_WORDS_LIST = """
a about after again all also am an and any are as at be because been before being but by can could did do does
doing don during each else ever every few for from further get gets give had has have having he her here him his
how i if in into is isn it its itself just let ll may me might more most must my no nor not now of off on once
one only or other our out over own please re s same shall she should show so some such t tell than that the
their them then there these they this those through to too under until up us use used using ve very via want was
way we were what when where which while who whom whose why will with within without would yet you your doesn
didn won much many long get goes go make makes made need needs does happen happens say says said mean means
thing things
"""
STOP_WORDS = frozenset(_STOP_WORDS_LIST.split())
# A word of the question counts as found in another form too: "submits" and "submitting" for "submit".
_ENDINGS = ("ing", "ed", "ly", "es", "s")
_SHORTEST_STEM = 4


def content_terms(text: str) -> list[str]:
    """Return the distinct terms of ``text`` that say what it is about, in order."""
    cut = cut_asking_words(text)
    return list(dict.fromkeys(stem_of(term) for term in index_terms(cut) if term not in STOP_WORDS and _tells(term)))


def cut_asking_words(text: str) -> str:
    """Return ``text`` with a blank for each Chinese word that only asks, points or connects."""
    return _ASKING_ZH.sub(" ", text)


@lru_cache(maxsize=8192)
def stem_of(term: str) -> str:
    """Return an English word without its commonest endings, anything else as it is.

    Forms of one word get the same stem, which need not be a word: "phone" and "phones" both give "phon".
    """
    if not (term.isascii() and term.isalpha()):
        return term
    for ending in _ENDINGS:
        short = term.removesuffix(ending)
        if len(short) < len(term) and len(short) >= _SHORTEST_STEM and not term.endswith("ss"):
            if ending in ("ing", "ed") and short[-1] == short[-2] and short[-1] not in "lsz":
                short = short[:-1]
            term = short
            break
    if term.endswith("y"):
        return term[:-1] + "i"
    return term[:-1] if term.endswith("e") and len(term) > _SHORTEST_STEM else term


def _tells(term: str) -> bool:
    # A lone Latin letter or CJK character left between two cuts says little; digits do.
    return len(term) > 1 or term.isdigit()
