"""Questions about the last answer itself: what it means, where it is from, or the same in other words."""

from __future__ import annotations

import re

from obsirag.graphs.intents.wording import own_words

__all__ = ["is_about_answer"]

# A longer question brings its own subject.
_MOST_WORDS = 16
_MOST_CHARACTERS = 26

_WHAT_IT_SAID = r"(?:that|this|it|(?:your|the)(?: (?:last|previous|whole))? (?:answer|reply|response|explanation))"
_END = r"(?= *(?:\Z|[,.;!?]|\b(?:please|again|for me|in|into|to|as|a bit|more|briefly|simply|once)\b))"
_ASK = r"(?:^|[,.;!] *)(?:(?:please|sorry|ok(?:ay)?|hm+)[, ]+)*(?:(?:can|could|would|will) you (?:please )?)?"
_EN = re.compile(
    r"\bwhat (?:do|did|exactly do|exactly did) you mean\b|\bwhat (?:is|was) (?:that|this) supposed to mean\b|"
    r"\bwhat does (?:the |your )?(?:first|second|third|fourth|last) (?:point|item|bullet|sentence|"
    r"paragraph) (?:of (?:that|your answer) )?mean\b|"
    rf"{_ASK}(?:say|put|explain|express|write|give|repeat|tell me) {_WHAT_IT_SAID} (?:again|more simply|simpler|"
    rf"shorter|differently|in (?:other|simple|simpler|plain|fewer|\w+) ?(?:words|terms|language)?|more briefly|"
    rf"to a beginner)|"
    rf"{_ASK}(?:translate|summari[sz]e|shorten|rephrase|reword|simplify|repeat|paraphrase|condense|"
    rf"sum up) {_WHAT_IT_SAID}{_END}|"
    r"\bwhere (?:did|do) you (?:get|find|read|see|have|take|know)\b[^?]{0,20}\b(?:that|this|it|from)\b|"
    r"\b(?:which|what) (?:note|source|file|page|document|passage)s? (?:is|was|does|did|are|were|do) (?:that|this|it|"
    r"you|these|those)\b[^?]{0,20}\b(?:from|use|based on|quote|cite)\b|"
    r"\bwhat(?:'s| is) (?:the|your) source(?: (?:of|for) (?:that|this|it))? *\?*\Z|"
    r"\b(?:what|which)\b[^?]{0,25}\[\d+\]|\[\d+\] (?:mean|refer)|"
    r"\byour (?:last |previous |first )?(?:answer|reply|response|explanation)\b|"
    r"\bi (?:don'?t|do not|didn'?t|did not|can'?t) (?:really |quite )?(?:understand|get|follow) *(?:it|that|this|"
    r"you)? *[.!]*\Z|"
    r"^(?:that(?:'s| is| was) )?(?:too|way too) (?:long|short|complicated|technical|detailed)\b|^(?:shorter|simpler|"
    r"briefer)\b|"
    r"^(?:please )?in (?:simple|plain|simpler|other|fewer|your own|one|two) (?:words|terms|english|sentences?)\b|"
    r"^are you (?:really |quite )?sure(?: about (?:that|this|it))? *\?*\Z|"
    r"^tl;?dr\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"第[一二三四五六七八九十\d]+(?:点|条|句|段)(?:话)?(?:是|到底是|具体是|具体)?(?:什么|啥)?意思|"
    r"(?:说|讲|解释|写|答|讲解)得?(?:更|再)?(?:简单|简短|通俗|详细|清楚|短|简洁|明白|直白|具体)(?:一?点|一?些)|"
    r"^(?:请|能不能|能|可以|再|更|太)*(?:简单|短|详细|通俗|简洁|直白|简短|长|复杂)(?:一?点|一?些|了)(?:吧|吗|说|"
    r"讲|行吗|可以吗)?[。?？!！\s]*\Z|"
    r"你(?:是)?(?:从|在)(?:哪|哪里|哪儿|什么地方)(?:看|得|查|找|知|读|了解)|^(?:这|那|这个|那个|它|上面|"
    r"刚才)?(?:的)?(?:答案|回答|结论|说法|信息|"
    r"内容)?(?:是)?(?:从哪|出自|来自|出处|来源)[^。]{0,8}(?:来|得|篇|里|笔记|文档|哪|什么|\?|？|\Z)|"
    r"^(?:请|帮我|麻烦|能不能|能|可以)*(?:把)?(?:它|这个?|上面的?|刚才的?|答案|回答|这段|上面这段)?(?:话|"
    r"内容)?翻译(?:一下|成[^。，的]{1,4}|为[^。，的]{1,4})(?:吧|"
    r"吗|一下)?[。?？!！\s]*\Z|"
    r"(?:总结|概括|复述|重复|归纳|缩短|改写|简化)[^。]{0,4}(?:刚才|上面|上述|你|前面)[^。]{0,4}(?:的)?(?:回答|"
    r"答案|内容|话|说的)|^(?:请|帮我)?(?:总结|概括|"
    r"归纳)(?:一下)?[。!！\s]*\Z|"
    r"用(?:一句话|两句话|几句话|英文|英语|中文|大白话|简单的话|通俗的话)[^。]{0,8}(?:说|讲|概括|总结|回答|翻译|"
    r"解释|重复|描述)?(?:一下|一遍|上面|刚才|这个)?(?:的)?(?:回答|"
    r"答案)?[。!！\s]*\Z|"
    r"^(?:我)?(?:还是|有点|完全)?(?:没|不|没有)(?:太|怎么)?(?:看懂|听懂|搞懂|明白|理解|懂)[^a-z]{0,12}\Z|^(?:能|"
    r"可以|请)?换(?:个|一种|一个)?说法|再(?:说|讲|"
    r"解释)一(?:遍|次)|"
    r"你(?:说|讲|指)?的?(?:是)?(?:什么|啥)意思|(?:这|那)(?:句|段|点)?(?:话)?(?:是)?(?:什么|啥)意思|"
    r"(?:上面|刚才|之前|上一个|上一条|你)的?(?:那个)?(?:回答|答案|回复)|\[\d+\][^。]{0,8}(?:指|是|来自|什么|哪)|"
    r"^(?:你)?(?:真的)?确定吗|^真的吗",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z']+")
_CJK = re.compile(r"[\u3400-\u9fff]")


def is_about_answer(question: str) -> bool:
    """Say whether a question is about the answer before it, rather than about what that told of."""
    text = own_words(question).strip()
    characters = len(_CJK.findall(text))
    if characters > _MOST_CHARACTERS or len(_WORD.findall(text)) > _MOST_WORDS:
        return False
    return bool((_ZH if characters else _EN).search(text))
