"""Whether a question can be understood alone, by rule.

A question refers to an earlier one if a word that points back ("it", "that", "它", "这个") comes before the question
has named anything itself, if it opens as a continuation ("And …", "那…"), if it is an ellipsis ("手机上呢？", "Why?"),
or if it asks for more of the same ("Can you give an example?"). A pointing word further on most often points to the
question's own words ("What is X for, and is it a list?"), and so do all after the first that does.
"""

from __future__ import annotations

import re

__all__ = ["refers_back"]

# Words before the pointing word that may stand there without being what it points to: the verb of "How do I change it?"
MAX_WORDS_BEFORE = 1
MAX_CHARACTERS_BEFORE = 2
# An ellipsis is shorter than a question that can stand alone.
MAX_ELLIPSIS_WORDS = 4
MAX_ELLIPSIS_CHARACTERS = 8

_POINTING_EN = re.compile(
    r"\b(?:it|its|they|them|their|theirs|those|these|this|that|ones|the same|the former|the latter|the other|"
    r"the others|the two|the three|of them|both of|which one)\b",
    re.I,
)
# "is it possible to …", "does it take to …", "this week", "a task that is …": the word points to nothing earlier.
_NOT_POINTING_EN = re.compile(
    r"\b(?:is|was|would|will)\s+it\s+(?:be\s+)?(?:possible|ok|okay|safe|true|normal|necessary|allowed|recommended|better|"
    r"best|worth|bad|good|enough)\b|\bit\s+(?:takes?|rains?)\b|\b(?:this|that)\s+(?:vault|week|month|year|morning|"
    r"afternoon|evening|project|plugin)\b|\b(?:so|such|possible|sure|ensure|mean|means|say|says|know|guarantee|"
    r"anything|something|everything|those|all)\s+that\b|\b(?!(?:and|but|if|is|was|does|did|do|can|of|on|in|for|with|about)\b)"
    r"[a-z]+\s+that\s+(?:\w+s|have|are|can|were|do|will|had|would|should|may|might|could)\b",
    re.I,
)
_STOP_EN_LIST = """
a an and are as at be been but by can could did do does doesn't don't for from get had has have how i if in into
is just may me might must my no not of off on only or our out s should so t than then there to too up us was we
were what when where which who whose why will with would you your about after also before between instead else
like tell more give show explain detail details example examples please again further
"""
_STOP_EN = frozenset(_STOP_EN_LIST.split())
_OPENING_EN = re.compile(r"\s*(?:and|but|or|also|then|so)\b[\s,]|\s*(?:what|how) about\b|\s*(?:what|how) else\b", re.I)
_PREPOSITION_EN = re.compile(r"\s*(?:on|in|at|for|with|without|from|by|to|under|instead|only|not)\b", re.I)
_WORD_EN = re.compile(r"[A-Za-z][A-Za-z']*")

_POINTING_ZH = re.compile(
    r"[它她他]们?|[这那][个些样种里边儿次步条行句篇项两几是]|这(?=[^儿])|那(?=怎|要|如|为|不|会|能|就)|前者|后者|"
    r"上面|上述|刚才|刚刚|前面|同样|此外|其中"
)
_OPENING_ZH = re.compile(
    r"\s*(?:那么?(?!里|边|个文件|篇)|还有|另外|然后|然後|如果还|要是还|可是|但是|而且|再问|为啥|为什么呢)"
)
_END_ZH = " \t\r\n\u3000？?。!！"
_STOP_ZH = re.compile(
    r"如果|要是|为什么|为啥|怎么|怎样|如何|什么|哪些|哪个|哪|是不是|有没有|能不能|可不可以|可以|应该|请问|请|的话|我们|你们|"
    r"[我你您的了吗呢吧么啊是在有把被给会能要不没还也都就又再和与对从到用让想得着过办做]|例子|示例|举例|详细|具体|一点|一下|多少|说说|解释|继续"
)
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_NAMES_SOMETHING = re.compile(
    # Something in quotes, a link, or inside a word a digit, an underscore, a capital: a sign of each is enough.
    r"`[^`]+`|\"[^\"]+\"|“[^“”]+”|《[^《》]+》|\[\[|\d|\w_\w|[a-z][A-Z]"
)


def refers_back(question: str) -> bool:
    """Say whether ``question`` needs the question before it to be understood."""
    if _CJK.search(question):
        return _refers_back_zh(question)
    return _refers_back_en(question)


def _refers_back_en(question: str) -> bool:
    words = _WORD_EN.findall(question)
    if not words:
        return False
    if _OPENING_EN.match(question):
        return True
    named = _NAMES_SOMETHING.search(question)
    content = [word for word in words if word.lower() not in _STOP_EN]
    if not content and not named:
        return True
    if _PREPOSITION_EN.match(question) and len(words) <= MAX_ELLIPSIS_WORDS:
        return True
    blanked = _NOT_POINTING_EN.sub(lambda match: "x" * len(match[0]), question)
    pointing = _POINTING_EN.search(blanked)
    if pointing is None:
        return False
    before = question[: pointing.start()]
    named_before = sum(word.lower() not in _STOP_EN for word in _WORD_EN.findall(before))
    return named_before <= MAX_WORDS_BEFORE and not _NAMES_SOMETHING.search(before)


def _refers_back_zh(question: str) -> bool:
    if _OPENING_ZH.match(question):
        return True
    named = _NAMES_SOMETHING.search(question)
    if question.rstrip(_END_ZH).endswith("呢") and not named and len(_CJK.findall(question)) <= MAX_ELLIPSIS_CHARACTERS:
        return True
    if not named and not _CJK.search(_STOP_ZH.sub("", question)):
        return True
    pointing = _POINTING_ZH.search(question)
    if pointing is None:
        return False
    before = question[: pointing.start()]
    if before.rstrip().endswith("的") or _NAMES_SOMETHING.search(before) or _WORD_EN.search(before):
        return False
    return len(_CJK.findall(_STOP_ZH.sub("", before))) <= MAX_CHARACTERS_BEFORE
