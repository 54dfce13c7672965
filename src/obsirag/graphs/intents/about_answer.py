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
    rf"to a beginner)|{_ASK}(?:translate|summari[sz]e|shorten|rephrase|reword|simplify|repeat|paraphrase|condense|"
    rf"sum up) {_WHAT_IT_SAID}{_END}|"
    r"\bwhere (?:did|do) you (?:get|find|read|see|have|take|know)\b[^?]{0,20}\b(?:that|this|it|from)\b|\b(?:which|"
    r"what) (?:note|source|file|page|document|passage)s? (?:is|was|does|did|are|were|do) (?:that|this|it|you|"
    r"these|those)\b[^?]{0,20}\b(?:from|use|based on|quote|cite)\b|\bwhat(?:'s| is) (?:the|your) source(?: (?:of|"
    r"for) (?:that|this|it))? *\?*\Z|\b(?:what|which)\b[^?]{0,25}\[\d+\]|\[\d+\] (?:mean|refer)|\byour (?:last |"
    r"previous |first )?(?:answer|reply|response|explanation)\b|\bi (?:don'?t|do not|didn'?t|did not|"
    r"can'?t) (?:really |quite )?(?:understand|get|follow) *(?:it|that|this|you)? *[.!]*\Z|^(?:that(?:'s| is|"
    r" was) )?(?:too|way too) (?:long|short|complicated|technical|detailed)\b|^(?:shorter|simpler|briefer)\b|"
    r"^(?:please )?in (?:simple|plain|simpler|other|fewer|your own|one|two) (?:words|terms|english|sentences?)\b|"
    r"^are you (?:really |quite )?sure(?: about (?:that|this|it))? *\?*\Z|^tl;?dr\b|^(?:huh\W*|sorry\W*|"
    r"pardon\W*)?(?:come again|pardon(?: me)?|what)\?*\Z|\blike i'?m (?:five|5)\b|^(?:and |so |what(?:'s|"
    r" is) )?(?:your|the) sources?(?: for (?:that|this|it))?\W*\Z|^(?:can|could) you (?:back|prove|confirm|"
    r"verify) (?:that|this|it)(?: up)?\W*\Z|^(?:please |can you |could you )*(?:make|turn|put|format) (?:it|that|"
    r"this) (?:in(?:to)? )?(?:a |an )?(?:\w+ )?(?:list|table|summary|sentence|bullets?|points)\b|\b(?:can|"
    r"could) i (?:have|get) (?:that|this|it) in \w+\W*\Z|\b(?:which|what) part of (?:that|this|your answer)\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"第[一二三四五六七八九十\d]+(?:点|条|句|段)(?:话)?(?:是|到底是|具体是|具体)?(?:什么|啥)?意思|(?:说|讲|解释|"
    r"写|答|讲解)得?(?:更|再)?(?:简单|简短|通俗|详细|清楚|短|简洁|明白|直白|具体)(?:一?点|一?些)|^(?:请|能不能|能|"
    r"可以|再|更|太)*(?:简单|短|详细|通俗|简洁|直白|简短|长|复杂)(?:一?点|一?些|了)(?:吧|吗|说|讲|行吗|"
    r"可以吗)?[。?？!！\s]*\Z|你(?:是)?(?:从|在)(?:哪|哪里|哪儿|什么地方)(?:看|得|查|找|知|读|了解)|^(?:这|那|"
    r"这个|那个|它|上面|刚才)?(?:的)?(?:答案|回答|结论|说法|信息|内容)?(?:是)?(?:从哪|出自|来自|出处|"
    r"来源)[^。]{0,8}(?:来|得|篇|里|笔记|文档|哪|什么|\?|？|\Z)|^(?:请|帮我|麻烦|能不能|能|可以)*(?:把)?(?:它|"
    r"这个?|上面的?|刚才的?|答案|回答|这段|上面这段)?(?:话|内容)?翻译(?:一下|成[^。，的]{1,4}|"
    r"为[^。，的]{1,4})(?:吧|吗|一下)?[。?？!！\s]*\Z|(?:总结|概括|复述|重复|归纳|缩短|改写|"
    r"简化)[^。]{0,4}(?:刚才|上面|上述|你|前面)[^。]{0,4}(?:的)?(?:回答|答案|内容|话|说的)|^(?:请|帮我)?(?:总结|"
    r"概括|归纳)(?:一下)?[。!！\s]*\Z|用(?:一句话|两句话|几句话|英文|英语|中文|大白话|简单的话|"
    r"通俗的话)[^。]{0,8}(?:说|讲|概括|总结|回答|翻译|解释|重复|描述)?(?:一下|一遍|上面|刚才|这个)?(?:的)?(?:回答|"
    r"答案)?[。!！\s]*\Z|^(?:我)?(?:还是|有点|完全)?(?:没|不|没有)(?:太|怎么)?(?:看懂|听懂|搞懂|明白|理解|"
    r"懂)[^a-z]{0,12}\Z|^(?:能|可以|请)?换(?:个|一种|一个)?说法|再(?:说|讲|解释)一(?:遍|次)|你(?:说|讲|"
    r"指)?的?(?:是)?(?:什么|啥)意思|(?:这|那)(?:句|段|点)?(?:话)?(?:是)?(?:什么|啥)意思|(?:上面|刚才|之前|上一个|"
    r"上一条|你)的?(?:那个)?(?:回答|答案|回复)|\[\d+\][^。]{0,8}(?:指|是|来自|什么|哪)|^(?:你)?(?:真的)?确定吗|"
    r"^真的吗|^(?:啥|什么)意思[。?？!！\s]*\Z|^(?:有|你有)?(?:什么)?(?:依据|出处|来源|根据|证据)(?:吗|呢|是什么|"
    r"在哪)?(?:[。?？!！\s]|\Z)|^太(?:长|短|复杂|啰嗦|笼统)了|^(?:请|帮我|能不能|可以|麻烦)*(?:精简|列成|整理成|"
    r"改成|写成)(?:一下|[^。]{0,4}(?:表格?|列表|要点|一段话|清单))|^(?:这|那)个?(?:是)?(?:在)?哪(?:篇|个|一?条|"
    r"份)(?:笔记|文档|文件)?(?:里)?(?:写|说|提|来)|你(?:刚才|刚刚|上面|前面)(?:说|讲|提)(?:到)?的",
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
