"""Attempts on the rules: to be rid of them, to be told them, or to read by a claim what one's labels don't admit.

They are turned away for the record's sake: what a caller may read is decided by labels alone, whatever a question says.
"""

from __future__ import annotations

import re

from obsirag.graphs.intents.wording import asks, own_words, sentences

__all__ = ["is_unsafe"]

_RULES_EN = (
    r"(?:instructions?|rules?|prompts?|guidelines?|restrictions?|directives?|orders|constraints?|policies|filters?)"
)
_OVERRIDES = re.compile(
    # "ignore all previous instructions", "disregard your rules", "forget everything you were told"
    rf"\b(?:ignore|disregard|forget|override|overrule|bypass|skip|drop|break|stop (?:following|obeying)|(?:do not|"
    rf"don't|no longer) (?:follow|obey))\b[^.!?]{{0,30}}\b(?:(?:previous|prior|above|earlier|preceding|your|"
    rf"system|safety|permission|access|initial|original)\b[^.!?]{{0,20}}\b{_RULES_EN}|(?:all|any|every|these|"
    rf"those)(?: of)?(?: the| your)? {_RULES_EN}|(?:the )?{_RULES_EN} (?:above|before|so far))\b|"
    r"\byou (?:now )?(?:have|need|follow) no (?:more |longer )?(?:rules|restrictions|limits|filters|guidelines)\b|"
    r"\b(?:role-?play|act|behave|respond|answer) as (?:root|admin\w*|(?:an? )?\w+ (?:without|with no|"
    r"free of) (?:any )?(?:rules|restrictions|limits|filters))|\bauthori[sz]e you to\b|\byou (?:are|"
    r"have been) (?:hereby )?authori[sz]ed to\b|^(?:\W*(?:system|assistant|developer|"
    r"系统)\W*)[:：].*(?:\b(?:granted|user|label|respond|output|reveal|unlocked)\b|授权|获得|权限|输出|忽略)|"
    r"扮演[^。！？]{0,6}(?:没有|不受|无)(?:任何)?(?:限制|约束|规则)|(?:授权|允许|"
    r"批准)[^。！？]{0,8}你[^。！？]{0,6}(?:跳过|绕过|忽略|无视)|(?:限制|规则|约束)[^。！？]{0,4}(?:已经?|"
    r"都)?(?:被)?(?:解除|取消|失效)|被禁止(?:告诉|透露|说)|\b(?:ignore|disregard|forget) (?:everything|all|"
    r"anything|what)\b[^.!?]{0,20}\b(?:told|said|above|before|learned|instructed)\b|\byou(?:'re| are)(?: now|"
    r" hereby)? (?:an? )?(?:unrestricted|unfiltered|jailbroken|free of|no longer bound|dan\b)|\b(?:without|"
    r"no) (?:any )?(?:restrictions|limits|filters|rules)\b[^.!?]{0,20}\b(?:apply|from now|you)\b|(?:忽略|无视|"
    r"忘掉|忘记|忘了|抛开|抛弃|别管|不要?遵守|不用遵守|跳过|绕过|违反|解除|(?:不要?|别|停止|无需)(?:再)?(?:遵循|"
    r"遵守|按照|理会))[^。！？]{0,4}(?:之前|上面|以上|前面|先前|此前|你|收到|所有|全部|一切|任何|"
    r"系统)[^。！？]{0,14}(?:规则|指令|指示|提示词?|限制|设定|约束|要求|说明)|(?:绕过|跳过|关闭|解除|"
    r"突破)[^。！？]{0,6}(?:权限|安全)(?:检查|限制|过滤|校验|控制)|(?:规则|指令|限制|约束|"
    r"设定)[^。！？]{0,6}(?:作废|失效|取消|无效|不再适用|解除)|你[^。！？]{0,12}(?:没有任何(?:限制|约束|规则)|"
    r"不受(?:任何|一切)?(?:限制|约束))",
    re.IGNORECASE,
)
_NEW_ROLE = re.compile(
    r"\b(?:from now on|as of now|starting now|henceforth)\b[^.!?]{0,10}\byou(?:'re| are| will| must| have)\b|"
    r"\byou(?:'re| are)(?: now)?\b[^.!?]{0,8}\b(?:in )?(?:an? )?(?:admin(?:istrator)?|developer|god|root|debug|"
    r"sudo|maintenance|dan) mode\b|(?:^|[,;:] ?|\band |\bplease |\bnow )(?:enter|switch (?:in)?to|go into|"
    r"activate) (?:the )?(?:admin(?:istrator)?|developer|god|root|debug|sudo|maintenance|dan) mode\b|\b(?:pretend|"
    r"imagine|assume|act as if|behave as if|treat me as (?:if|though))\b[^.!?]{0,20}\b(?:i|my|me|you|"
    r"no)\b[^.!?]{0,30}\b(?:labels?|roles?|admin\w*|root|permissions?|access|rights|rules|restrictions|"
    r"clearance)\b|从现在(?:开始|起)[^。！？]{0,4}你|你现在(?:是|处于|进入)(?:了)?(?:一个)?[^。！？]{0,8}(?:模式|"
    r"管理员|dan|不受|没有限制|无限制)|(?:^|[，,：]|请|马上|立即)(?:进入|切换到|开启|打开)[^。！？]{0,4}(?:管理员|"
    r"开发者|上帝|调试|维护|root|admin)\s*模式|(?:假装|假设|假定|当作|就当|"
    r"视为)[^。！？]{0,6}我[^。！？]{0,10}(?:标签|角色|管理员|权限|身份|admin|root)",
    re.IGNORECASE,
)
_TELLS_PROMPT = re.compile(
    r"\byour (?:(?:exact|full|complete|entire|hidden|secret|initial|original|internal|own|"
    r"system)[, ]*)+(?:prompts?|instructions?|message|rules)\b|\b(?:print|show|output|reveal|repeat|tell|give|"
    r"display|dump|leak|share|quote|write)\b[^.!?]{0,25}\byour (?:prompts?|instructions|rules|guidelines)\b|"
    r"\b(?:print|show|output|reveal|repeat|display|dump|leak)\b[^.!?]{0,15}\b(?:system|hidden|initial) (?:prompt|"
    r"message|instructions)(?= *(?:\Z|[,;:]|verbatim|word|in full|to me|now|please))|\bwhat (?:instructions|rules|"
    r"prompt) (?:were|was|are|did|have) you (?:been )?(?:given|told|following|get|receive)|(?:开头|最初|"
    r"一开始)[^。！？]{0,6}(?:系统)?(?:设定|提示词?|指令)[^。！？]{0,6}(?:贴|打印|输出|发|念|原文)|"
    r"\brepeat (?:everything|all|the (?:text|words|lines?|instructions?))\b[^.!?]{0,20}\b(?:above|before|"
    r"so far)\b|你的?(?:全部|完整|所有|原始|初始|隐藏|内部)*(?:的)?(?:系统提示|提示词|系统指令|系统消息|初始指令|"
    r"隐藏指令|内部指令)|(?:打印|输出|告诉|显示|复述|重复|列出|说出|给我看|泄露|公布)[^。！？]{0,8}(?:你|最初|"
    r"最开始|第一条|上面)[^。！？]{0,8}(?:收到|得到|设定|遵守|遵循)?[^。！？]{0,4}(?:指令|提示词|规则|系统提示)|"
    r"(?:打印|输出|显示|复述|重复|说出|泄露)(?:一下|出)?(?:完整的?|全部的?)?系统(?:提示词?|指令)(?=\s*(?:\Z|[，,]|"
    r"给|吧|出来))",
    re.IGNORECASE,
)
_CLAIMS = re.compile(
    r"\b(?:i am|i'm|this is|speaking as) (?:the |an? |your )?(?:\w+ )?(?:admin(?:istrator)?|root|superuser|owner|"
    r"developer|creator|ceo|boss|manager|lead|security (?:team|officer))\b|\bmy (?:role|label|labels|clearance|"
    r"permission)s? (?:is|are|includes?)\b|\bi (?:now )?(?:have|hold|got) (?:the |an? |all )?(?:\w+ )?(?:label|"
    r"role|clearance|permission)s?\b|\bwith (?:the )?label \w+|\badmin mode\b|我(?:现在)?(?:就)?是(?:系统|超级|"
    r"你的|这里的|公司的?|项目)*(?:管理员|开发者|老板|负责人|主管|root|admin|总监|创建者)|我(?:现在)?的?(?:角色|"
    r"身份|标签|权限)(?:是|为|包括|已经)|我(?:现在)?(?:已经)?有[^。！？，]{0,10}(?:标签|角色|最高权限|管理员权限)",
    re.IGNORECASE,
)
_HANDS_OUT = re.compile(
    r"\b(?:show|tell|give|print|list|read|reveal|output|display|dump|send|open|what'?s in|what is in|hand over)\b|"
    r"说出|念给|贴出|告诉|给我|打印|输出|列出|显示|展示|给看|都看|念|发我|发给|读出|公布",
    re.IGNORECASE,
)
_WITHHELD = re.compile(
    r"\b(?:restricted|confidential|classified|secrets?"
    r"(?= (?:\w+ )?(?:notes?|files?|documents?|plans?|folders?)\b|\W*(?:\Z|[,.;!?]))|"
    r"forbidden|withheld|not allowed to (?:see|read)|hidden notes?|"
    r"salar(?:y|ies))\b|受限|机密|保密|秘密|绝密|无权|没有权限|不让看|不该看|隐藏的?笔记|薪资|工资表",
    re.IGNORECASE,
)
_INTERNAL = re.compile(r"\b(?:internal|private|leads|hr)\b|内部|私有|私密|私人", re.IGNORECASE)
# Of notes that are kept apart themselves, not of notes about something that is called so.
_INTERNAL_NOTES = re.compile(
    r"\b(?:internal|private|leads|hr)(?:'s)? (?:\w+ )?(?:notes?|files?|documents?|folders?)\b|"
    r"\b(?:in|under|of|from|for) (?:the )?(?:internal|private|leads|hr)\b"
    r"(?: (?:folder|team|people))?(?=\W*(?:\Z|[,.;!?]))|"
    r"(?:内部|私有|私密|私人)(?:的|目录|文件夹|下面?|里面?|中|那些|所有)*(?:笔记|文件|文档|目录|内容)",
    re.IGNORECASE,
)
_NOTES = re.compile(r"\b(?:notes?|files?|documents?)\b|笔记|文件|文档|目录|内容", re.IGNORECASE)
_ALL = re.compile(
    r"\b(?:all|every(?:thing)?|entire|whole|full text|complete|verbatim|word for word)\b|全部|全文|所有|一切|完整|"
    r"原文|逐字|整个",
    re.IGNORECASE,
)


def is_unsafe(question: str) -> bool:
    """Say whether a question is an attempt to get round the rules."""
    text = own_words(question)
    parts = sentences(text)
    if any(_TELLS_PROMPT.search(each) or _is_order(each) for each in parts):
        return True
    withheld = bool(_WITHHELD.search(text) or _INTERNAL.search(text))
    return bool(_CLAIMS.search(text)) and withheld and any(map(_hands_out, parts))


def _is_order(sentence: str) -> bool:
    if _NEW_ROLE.search(sentence):
        return not sentence.lower().startswith(("how", "why", "where", "which", "怎么", "如何", "为什么"))
    if asks(sentence):
        return False  # a developer asks how such a thing is done, or kept out
    if _OVERRIDES.search(sentence):
        return True
    is_withheld = _WITHHELD.search(sentence) or (_INTERNAL_NOTES.search(sentence) and _ALL.search(sentence))
    return bool(is_withheld and _hands_out(sentence) and _NOTES.search(sentence))


def _hands_out(sentence: str) -> bool:
    return bool(_HANDS_OUT.search(sentence))
