"""Small talk: a message that is nothing but greeting, thanks, farewell, or a question about who answers."""

from __future__ import annotations

import re
from typing import Literal

from obsirag.graphs.intents.wording import own_words

__all__ = ["SmallTalk", "small_talk"]

SmallTalk = Literal["about_me", "thanks", "farewell", "greeting"]
"""What there is to reply to; the first of a message that has several."""

# Longer messages say something, whatever they are made of.
_LONGEST = 120

_PHRASES: dict[SmallTalk, re.Pattern[str]] = {
    "about_me": re.compile(
        r"\b(?:(?:and )?who (?:are|r) (?:you|u)|what(?:'s| is) your name|what (?:exactly )?are you(?= *\Z|[?!.])|"
        r"(?:so )?what exactly are you|what can you (?:do|help)(?: (?:me )?with)?(?: for (?:me|us))?(?= *\Z|"
        r" *[?!.])|are you (?:a |an )?(?:real |human|robot|bot|ai|person|machine)+|"
        r"how are you(?: doing)?(?: today)?|how(?:'s| is) (?:it going|your day|life)|what'?s up|how do you do)\b|"
        r"你(?:到底)?是谁|(?:请问)?你是(?=[?？]|\Z)|你是(?:真人|机器)还是\s?(?:ai|机器人|真人|程序)|你叫(?:什么|"
        r"啥)(?:名字)?|你(?:能|可以|会)(?:做|干|帮(?:我|忙)(?:做|干)?)(?:些)?(?:什么|啥)|你是(?:个|"
        r"一个)?(?:机器人|真人|人工智能|ai|人)(?:吗|么)?(?![\w的])|(?:你)?最近(?:怎么样|好吗|如何)|你好吗|吃了吗|"
        r"你(?:有|会)(?:什么|哪些)(?:功能|本领)",
        re.IGNORECASE,
    ),
    "thanks": re.compile(
        r"\b(?:many thanks|thanks(?: (?:a lot|a million|so much|very much|again|for (?:your|the) help))?|"
        r"thank (?:you|u)(?: (?:so|very) much)?(?: for (?:your|the) help)?|thx|ty|cheers|appreciate (?:it|that)|"
        r"that was (?:fast|quick|helpful|great|perfect)|(?:got it|noted|understood)|(?:that|it|"
        r"this) (?:really )?(?:helped|helps|was helpful|worked)(?: a lot)?|much appreciated|(?:well done|great|"
        r"good|nice) (?:job|work|answer)|(?:you are|you're) (?:great|awesome|the best))\b|(?:非常|十分|太|"
        r"真是)?(?:感谢|谢谢|谢啦|谢了|多谢)(?:你|您|啦|了|哈|呀|大家|帮忙|你的(?:帮助|回答))*|辛苦(?:了|啦|你了|"
        r"您了)?|(?:我)?(?:懂了|明白了|知道了|学到了|清楚了|收到了?)|帮大忙了|(?:你)?(?:可真|真是|真|太|好)(?:棒|"
        r"厉害|强|好|赞|贴心|聪明|可爱|快)(?:了|啦|呀)?|干得(?:好|漂亮)",
        re.IGNORECASE,
    ),
    "farewell": re.compile(
        r"\b(?:good ?bye|bye(?:[ -]?bye)?|see (?:you|ya)(?: (?:tomorrow|later|soon|then|around))?|good night|"
        r"take care|have a (?:nice|good|great) (?:day|evening|weekend|night|one)|i'?m off|gotta go|"
        r"talk to you (?:later|tomorrow))\b|再见|拜拜|晚安|明天(?:见|聊|再聊)|回头(?:见|聊)|下次(?:见|聊)|"
        r"(?:我)?(?:先)?(?:去)?(?:下班|走|撤|下线|忙|睡)(?:啦|了)|周末愉快",
        re.IGNORECASE,
    ),
    "greeting": re.compile(
        r"\b(?:hi(?:ya)?|hello|hey|howdy|yo|(?:good )?morning|good (?:afternoon|evening|day)|greetings|"
        r"nice to meet you|pleased to meet you|welcome back|i'?m back)\b|(?:你|您|大家|各位)好|哈喽|嗨嗨|哈啰|嗨|"
        r"早上好|早安|下午好|中午好|晚上好|早啊|早呀|在(?:吗|不在|么)|有人(?:吗|在吗)|很高兴认识你|我回来了",
        re.IGNORECASE,
    ),
}
_ANY = re.compile("|".join(each.pattern for each in _PHRASES.values()), re.IGNORECASE)
_FILLER = re.compile(
    r"\b(?:sorry|wrong (?:window|chat|channel)|oops|never ?mind|assistant|bot|so|exactly|really|there|all|"
    r"everyone|everybody|again|so|very|much|a|lot|and|ok(?:ay)?|oh|ah|wow|well|yes|no|great|cool|nice|good|"
    r"perfect|awesome|please|my|friend|buddy|folks|team|today|now|then|haha+|lol|for|your|the|help|you|too)\b|哈+|"
    r"呵+|嘿+|嗯+|哦+|噢+|好的?|行|呀|啊|哇|啦|呢|吧|哟|诶|哎|亲爱的|朋友|今天|先|那|就|我|你|您|了|的|大家|"
    r"小助手|助手|老师|大佬|同学|各位|请问|嘞|大|多|太|嘻+",
    re.IGNORECASE,
)
# Said without a greeting, still nothing to look for.
_ALONE = re.compile(r"哈哈|呵呵|嘿嘿|\bhaha|\blol\b|\bsorry\b|\boops\b|\bnever ?mind\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W_]")


def small_talk(question: str) -> SmallTalk | None:
    """Return what a message of small talk is about; None if it says anything else beside it."""
    if len(question) > _LONGEST:
        return None
    text = own_words(question)
    left, found = _ANY.subn(" ", text)
    if _LETTER.search(_FILLER.sub(" ", left)):
        return None
    if not found:
        return "greeting" if _ALONE.search(text) else None
    return next(name for name, phrases in _PHRASES.items() if phrases.search(text))
