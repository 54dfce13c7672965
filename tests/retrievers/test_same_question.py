from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.same_question import asks_the_same

SAME = [
    ("how do I enable nanite", "how can I enable nanite"),
    ("How to enable Nanite?", "How do you enable Nanite"),
    ("what is the texture pool", "What's the texture pool?"),
    ("how to package ABC-200 builds", "how do we package ABC-200 builds"),
    ("如何设置纹理池", "怎么设置纹理池"),
    ("怎样在 UE5 里设置纹理池", "在 UE5 里怎样设置纹理池呢"),
    ("纹理池的大小如何设置", "纹理池的大小怎么设置？"),
    ("ＵＥ５ 的纹理池", "UE5 的 纹理池"),
    ("请问如何启用蓝图", "如何启用蓝图"),
]

OTHER = [
    # numbers
    ("what is new in version 4", "what is new in version 5"),
    ("is the limit 1.5", "is the limit 1.50001"),
    ("temperature of 5 degrees", "temperature of -5 degrees"),
    ("budget for 2023", "budget for 2024"),
    ("the last two meetings", "the last three meetings"),
    ("a discount of 5%", "a discount of 5"),
    ("x < 5", "x > 5"),
    ("第三章讲什么", "第四章讲什么"),
    ("两个玩家的存档", "三个玩家的存档"),
    ("5月的会议", "6月的会议"),
    ("纹理池的大小", "纹理池的大小 2"),
    # identifiers
    ("what does ABC-200 mean", "what does ABC-300 mean"),
    ("what is FTableRowBase for", "what is FTableRow for"),
    ("what does r.Nanite do", "what does r.Lumen do"),
    ("what does max_size do", "what does min_size do"),
    ("where is Config/Engine.ini", "where is Config/Game.ini"),
    ("the --force flag", "the --dry-run flag"),
    ("the -f flag", "the -r flag"),
    ("how does C++ call it", "how does C# call it"),
    ("what did Alice decide", "what did Bob decide"),
    ('what is "actor" here', 'what is "pawn" here'),
    ("如何使用 Nanite", "如何使用 Lumen"),
    ("GE_Damage 是什么", "GE_Heal 是什么"),
    ("《流程》里写了什么", "《规范》里写了什么"),
    # negations and their like
    ("why is it allowed", "why is it not allowed"),
    ("does it work", "doesn't it work"),
    ("does it work", "doesn’t it work"),
    ("can we ship", "cannot ship we can"),
    ("enable the cache", "disable the cache"),
    ("install the plugin", "uninstall the plugin"),
    ("a deterministic build", "a nondeterministic build"),
    ("builds with tests", "builds without tests"),
    ("turn it on", "turn it off"),
    ("a useful note", "a useless note"),
    ("before the release", "after the release"),
    ("what is legal", "what is illegal"),
    ("如何启用缓存", "如何禁用缓存"),
    ("可以提交", "不可以提交"),
    ("可以提交吗", "不能提交吗"),
    ("有权限的人", "没有权限的人"),
    ("打开光追", "关闭光追"),
    ("增加纹理池", "减少纹理池"),
    ("发布前要做什么", "发布后要做什么"),
    ("未完成的任务", "完成的任务"),
    ("无限循环", "有限循环"),
    ("今天的会议", "明天的会议"),
    # the same words in another order
    ("convert png to jpg", "convert jpg to png"),
    ("from A7 to B9", "from B9 to A7"),
    ("猫追狗", "狗追猫"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_wording_asks_the_same(one: str, other: str) -> None:
    assert asks_the_same(one, other)
    assert asks_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_number_an_identifier_or_a_negation_asks_something_else(one: str, other: str) -> None:
    assert not asks_the_same(one, other)
    assert not asks_the_same(other, one)


WORDS = ("how", "what", "not", "on", "5", "-5", "3.5", "C++", "ABC-200", "r_x", "`q`", "不", "启用", "三", "纹理")
pieces = st.lists(st.sampled_from([*WORDS, "!", "<", "?", '"', "“", "\n", "  "]), max_size=8)


@given(pieces, pieces)
def test_it_is_symmetric_and_nothing_differs_from_itself(one: list[str], other: list[str]) -> None:
    first, second = " ".join(one), " ".join(other)
    assert asks_the_same(first, first)
    assert asks_the_same(first, second) == asks_the_same(second, first)


@given(pieces, st.integers(), st.integers())
def test_another_number_is_another_question(words: list[str], one: int, other: int) -> None:
    queries = [" ".join([*words, "of", str(number)]) for number in (one, other)]
    assert asks_the_same(*queries) == (one == other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_will_do(one: str, other: str) -> None:
    assert asks_the_same(one, other) in (True, False)
