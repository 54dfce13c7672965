"""What is surely not in anybody's notes, or not in notes on the described domain; all else is looked for there."""

from __future__ import annotations

import re
from typing import NamedTuple

from obsirag.graphs.intents.wording import own_words

__all__ = ["is_off_topic"]


class _Topic(NamedTuple):
    """One thing to ask of somebody else.

    Args:
        asked: How it is asked.
        concerned: What a domain's description says that has to do with it.
        is_everywhere: Whether that holds without any description: notes don't know today's weather.
    """

    asked: re.Pattern[str]
    concerned: re.Pattern[str]
    is_everywhere: bool


def _topic(asked: str, concerned: str, *, is_everywhere: bool = False) -> _Topic:
    return _Topic(re.compile(asked, re.IGNORECASE), re.compile(concerned, re.IGNORECASE), is_everywhere)


_DAY_EN = r"(?:today|tonight|tomorrow|now|right now|this (?:week|weekend|morning|afternoon|evening))"
_DAY_ZH = r"(?:今天|今晚|明天|明早|后天|现在|这周末?|周末|昨天|昨晚|今年|本周)"
_TOPICS = (
    _topic(
        rf"\b(?:what(?:'s| is)|how(?:'s| is)) the (?:weather|temperature|forecast)(?: like)?(?: (?:in|at|"
        rf"for) (?!the |our |game)\w+)?(?: {_DAY_EN})?\W*\Z|\b(?:will|is) it (?:going to |be )*(?:rain|snow|sunny|"
        rf"cold|hot|raining|snowing|storm)\w*\b[^.?!]*\b{_DAY_EN}|{_DAY_ZH}[^。！？]{{0,6}}(?:天气|气温|温度|"
        rf"会(?:不会)?下[雨雪]|下[雨雪]吗|冷不冷|热不热|要带伞)|天气预报",
        r"weather|forecast|meteo|climate|天气|气象|气候",
        is_everywhere=True,
    ),
    _topic(
        r"\b(?:stock|share) price\b|\bexchange rate\b|\bprice of (?:bitcoin|gold|oil)\b|\bbitcoin price\b|股价|"
        r"汇率|大盘|比特币(?:价格|多少)|金价",
        r"stock|financ|invest|trading|股|金融|投资|交易",
        is_everywhere=True,
    ),
    _topic(
        r"\bwho won (?:the |last |yesterday)[^.?!]{0,20}\b(?:match|football|soccer|basketball|world cup|"
        r"super bowl|election|championship)\b|\b(?:score|result) of (?:the |yesterday's )?(?:football|soccer|nba|"
        r"basketball)\b|(?:球赛|足球|篮球|世界杯|欧冠)[^。！？]{0,8}(?:谁赢|比分|结果)",
        r"sport|football|soccer|体育|足球|赛事",
        is_everywhere=True,
    ),
    _topic(
        r"\bbook (?:me )?(?:a |an |the )?(?:flight|hotel|table|taxi|train|room at)\b|"
        r"\border (?:me )?(?:a )?(?:pizza|food|taxi)\b|(?:订|买|预订|预定)[^。！？]{0,6}(?:机票|火车票|高铁票|"
        r"酒店|外卖|电影票)|叫(?:个|辆)?(?:车|外卖)",
        r"travel|hotel|flight|旅行|出行|酒店|差旅",
        is_everywhere=True,
    ),
    _topic(
        r"\bhoroscope\b|星座[^。！？]{0,8}运势|运势(?:如何|怎么样)|算(?:个|一)?(?:命|卦)",
        r"horoscope|astrolog|星座|占卜",
        is_everywhere=True,
    ),
    _topic(
        r"\b(?:tell|give) (?:me|us) (?:a|another|some|one more) (?:\w+ )?(?:jokes?|riddle|bedtime story)\b|(?:讲|"
        r"说|来)(?:一)?个(?:冷)?笑话|讲(?:一)?个(?:睡前)?故事",
        r"joke|humou?r|comedy|story|stories|笑话|幽默|故事",
        is_everywhere=True,
    ),
    _topic(
        r"\bwrite (?:me |us )?(?:a |an |another )?(?:love |short |funny |birthday )?(?:poem|song|haiku|limerick|"
        r"love letter)\b|写(?:一)?首(?:情)?(?:诗|歌)|写(?:一)?封情书",
        r"poem|poetry|song|lyric|writing|诗|歌|写作",
        is_everywhere=True,
    ),
    _topic(
        r"\b(?:recommend|suggest|know)\b[^.?!]{0,30}\b(?:restaurant|noodle|pizza|coffee|cafe|lunch|dinner|bar|pub|"
        r"place to eat|hotel)\b|\b(?:restaurant|cafe|bar|pub|noodle|pizza)\b[^.?!]{0,20}\b(?:near(?: here|by)?|"
        r"around here|open (?:late|now)|downtown)\b|\bwhere (?:can|should) (?:i|we) (?:eat|have lunch|"
        r"have dinner)\b|(?:附近|周围|楼下)[^。！？]{0,8}(?:好吃|餐厅|饭店|咖啡|面馆|火锅|奶茶)|(?:午饭|晚饭|中午|"
        r"晚上)吃(?:什么|啥)|推荐[^。！？]{0,8}(?:餐厅|饭店|美食|面馆)",
        r"restaurant|food|eat|cook|dining|office|city|travel|餐|美食|吃|城市|办公室|旅行",
    ),
    _topic(
        r"\brecipes? for (?!(?:the |our )?\w+ (?:potion|item|sword|weapon|craft))(?:\w+ ){0,2}(?:pie|cake|soup|"
        r"bread|pasta|pizza|curry|salad|stew|cookies|pancakes|chicken|beef)\b|\bhow (?:do|can) (?:i|you) (?:cook|"
        r"bake)\b|(?:红烧肉|番茄炒蛋|蛋糕|面条|饺子|[一-鿿]{0,4}(?:排骨|鸡翅|牛肉))怎么(?:做|炒|煮|烤)(?:才好吃|"
        r"好吃)?|菜谱",
        r"recipe|cook|food|kitchen|baking|菜|烹|厨|美食|食谱",
    ),
    _topic(
        r"\b(?:recommend|suggest)\b[^.?!]{0,20}\b(?:movie|film|tv show|series to watch|novel|book to read)s?\b|"
        r"推荐[^。！？]{0,6}(?:电影|电视剧|综艺|小说|歌)",
        r"movie|film|cinema|book|novel|read|tv|电影|影视|书|小说|剧|音乐",
    ),
)

# Of weather, prices and jokes that somebody builds there may well be notes.
_BUILT = re.compile(
    r"系统|功能|蓝图|模块|组件|插件|特效|材质|接口|代码|笔记|文档|"
    r"\b(?:systems?|features?|blueprints?|modules?|components?|plugins?|shaders?|effects?|code|notes?|docs?)\b",
    re.IGNORECASE,
)


def is_off_topic(question: str, domain: str) -> bool:
    """Say whether a question surely has nothing to do with the notes.

    Args:
        question: The question.
        domain: What the notes are about, in words; empty if nobody said.
    """
    text = own_words(question)
    return not _BUILT.search(text) and any(
        topic.asked.search(text) and not topic.concerned.search(domain)
        for topic in _TOPICS
        if domain or topic.is_everywhere
    )
