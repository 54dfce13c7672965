"""Whether a question can be understood alone, by rule.

A question refers to an earlier one if a word that points back ("it", "that", "它", "这个") comes before the question
has named anything itself, if it opens as a continuation ("And …", "那…"), if it is an ellipsis ("手机上呢？", "Why?"),
or if it asks for more of the same ("Can you give an example?"). A pointing word further on most often points to the
question's own words ("What is X for, and is it a list?"), and so do all after the first that does.
"""

from __future__ import annotations

import re

__all__ = ["refers_back", "without_opening"]

# Words before the pointing word that may stand there without being what it points to: the verb of "How do I change it?"
MAX_WORDS_BEFORE = 1
MAX_CHARACTERS_BEFORE = 2
# An ellipsis is shorter than a question that can stand alone.
MAX_ELLIPSIS_WORDS = 4
MAX_ELLIPSIS_CHARACTERS = 8

_POINTING_EN = re.compile(
    r"\b(?:it|its|they|them|their|theirs|those|these|this|that|ones|the same|the former|the latter|the other|"
    r"the others|the two|the three|the (?:first|second|third|last|other) (?:one|option|step|point|way)|"
    r"(?:do|does|did|doing) so|of them|both of|which one)\b",
    re.I,
)
# "is it possible to …", "does it take to …", "this week", "a task that is …": the word points to nothing earlier.
_NOT_POINTING_EN = re.compile(
    r"\b(?:is|was|would|will)\s+it\s+(?:be\s+)?(?:possible|ok|okay|safe|true|normal|necessary|allowed|recommended|better|"
    r"best|worth|bad|good|enough)\b|\bit\s+(?:takes?|rains?)\b|\b(?:this|that)\s+(?:vault|week|month|year|morning|"
    r"afternoon|evening|project|plugin|server|machine|team|company|repo(?:sitory)?|notebook)\b|\b(?:so|such|possible|sure|ensure|mean|means|say|says|know|guarantee|"
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
_OPENING_EN = re.compile(
    r"\s*(?:and|but|or|also|then|so(?! (?:far|called)))\b[\s,]+|\s*(?:what|how) (?:about|else)\b|"
    r"\s*any (?:other|more)\b|\s*(?:the )?same\b",
    re.I,
)
# "What are the drawbacks?": of what, was said before.
_OF_WHAT_EN = re.compile(
    r"\s*(?:what|which)(?:'s| is| are| was| were) the (?:(?:main|biggest|other|default) )?"
    r"(?:drawbacks?|limits?|limitations?|alternatives?|options?|steps?|(?:dis)?advantages?|differences?|exceptions?|reasons?|consequences?|risks?|costs?|"
    r"benefits?|side effects|requirements?|prerequisites?|pros|cons|defaults?)(?: and \w+)?\s*\?*\s*\Z",
    re.I,
)
_PREPOSITION_EN = re.compile(r"\s*(?:on|in|at|for|with|without|from|by|to|under|instead|only|not)\b", re.I)
_WORD_EN = re.compile(r"[A-Za-z][A-Za-z']*")

_POINTING_ZH = re.compile(
    r"[它她]们?|(?<![其吉])他们?|[这那][个些样种里边儿次步条行句篇项两几是]|这(?=[^儿])|那(?=怎|要|如|为|不|会|能|就)|前者|后者|"
    r"上面|上述|刚才|刚刚|前面(?=的|那|这|几|所?[说提讲列写]|[，。、？?\s])|其中(?!一)|"
    r"第[一二三四五六七八九十]+(?:[点步条种项]|个)(?=呢|是|怎|具体|详细|[，。、？?\s]|\Z)"
)
# 这周, 这个项目: the word points to nothing earlier.
_NOT_POINTING_ZH = re.compile(
    r"[这那](?:一?(?:周|天|年|季度?)|几[天周年]|个?(?:星期|礼拜|月|季度|项目|仓库|笔记库|团队|公司))"
)
_OPENING_ZH = re.compile(
    r"\s*(?:那么?(?!里|边|个文件|篇)|还有(?!多少|几)|另外(?=[，,、：:\s]|[它那这])|此外(?=[，,、\s]|还)|同样(?=[，,、\s]|[的地]问|吗)|"
    r"然[后後](?=[，,、\s呢]|[再怎要就我])|如果还|要是还|如?果?换成|可是|但是|而且|再问|为啥|为什么呢)[，,、：:\s]*"
)
_THE_SAME_ZH = re.compile(r"也(?:是)?(?:一样|如此|这样|可以|行|适用|成立|支持)[的了]?[吗么]")
_END_ZH = " \t\r\n\u3000？?。!！"
_STOP_ZH = re.compile(
    r"如果|要是|为什么|为啥|怎么|怎样|如何|什么|哪些|哪个|哪|是不是|有没有|能不能|可不可以|可以|应该|请问|请|的话|我们|你们|"
    r"例子|示例|举例|举|几个?|别的|其[他它]|方法|方式|办法|个|[我你您的了吗呢吧么啊是在有把被给会能要不没还也都就又再和与对从到用让想得着过办做]|详细|具体|一点|一下|多少|说说|解释|继续"
)
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
# Words in quotes are spoken of, not used.
_QUOTED = re.compile(
    r"(?<=`)[^`]+(?=`)|(?<=\")[^\"]+(?=\")|(?<=“)[^“”]+(?=”)|(?<=「)[^「」]+(?=」)|(?<=[ (]')[^']+(?='[ ).?])"
)
_NAMES_SOMETHING = re.compile(
    # Something in quotes, a link, or inside a word a digit, an underscore, a capital: a sign of each is enough.
    r"`[^`]+`|\"[^\"]+\"|“[^“”]+”|《[^《》]+》|\[\[|\d|\w_\w|[a-z][A-Z]"
)


def refers_back(question: str) -> bool:
    """Say whether ``question`` needs the question before it to be understood."""
    if _CJK.search(question):
        return _refers_back_zh(question)
    return _refers_back_en(question)


def without_opening(question: str) -> str:
    """Return a question without the words that make it go on from what was before ("And …", "另外，…")."""
    opening = (_OPENING_ZH if _CJK.search(question) else _OPENING_EN).match(question)
    return question[opening.end() :] if opening else question


def _blank(match: re.Match[str]) -> str:
    return "x" * len(match[0])


def _refers_back_en(question: str) -> bool:
    words = _WORD_EN.findall(question)
    if not words:
        return False
    if _OPENING_EN.match(question) or _OF_WHAT_EN.match(question):
        return True
    question = _QUOTED.sub(_blank, question)
    named = _NAMES_SOMETHING.search(question)
    content = [word for word in words if word.lower() not in _STOP_EN]
    if not content and not named:
        return True
    if _PREPOSITION_EN.match(question) and len(words) <= MAX_ELLIPSIS_WORDS:
        return True
    blanked = _NOT_POINTING_EN.sub(_blank, question)
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
    question = _QUOTED.sub(_blank, question)
    if _THE_SAME_ZH.search(question) and not named:
        return True
    if question.rstrip(_END_ZH).endswith("呢") and not named and len(_CJK.findall(question)) <= MAX_ELLIPSIS_CHARACTERS:
        return True
    if not named and not _CJK.search(_STOP_ZH.sub("", question)):
        return True
    pointing = _POINTING_ZH.search(_NOT_POINTING_ZH.sub(_blank, question))
    if pointing is None:
        return False
    before = question[: pointing.start()]
    if before.rstrip().endswith("的") or _NAMES_SOMETHING.search(before) or _WORD_EN.search(before):
        return False
    return len(_CJK.findall(_STOP_ZH.sub("", before))) <= MAX_CHARACTERS_BEFORE
