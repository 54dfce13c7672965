"""How terms are found in a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.glossary import Term
from obsirag.graphs.vocabulary import Vocabulary, holds_name

VOCABULARY = Vocabulary(
    [
        Term("Hitch", ("卡", "stutter")),
        Term("显卡", ("graphics card",)),
        Term("Hot Reload", ("热重载", "swap code")),
        Term("C++"),
        Term("Alembic", ("it", "IT")),
    ]
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("游戏很卡", [("卡", "Hitch")]),
        ("显卡要多好？", [("显卡", "显卡")]),
        ("显卡很卡", [("显卡", "显卡"), ("卡", "Hitch")]),
        ("Why does it STUTTER? It stutters.", [("STUTTER", "Hitch"), ("stutters", "Hitch")]),
        ("a stuttering game", [("stuttering", "Hitch")]),
        ("hot-reload, Hot Reloads", [("hot-reload", "Hot Reload"), ("Hot Reloads", "Hot Reload")]),
        ("ｈｏｔ　reload", [("ｈｏｔ　reload", "Hot Reload")]),
        ("hot. Reload", []),
        ("unstuttered", []),
        ("is `stutter` a command, or \"热重载\"?", []),
        ("“卡”和「卡」", []),
        ("in C++ or C#?", [("C++", "C++")]),
        ("", []),
    ],
)  # fmt: skip
def test_words_are_found(text, found):
    assert [(each.word, each.terms[0].name) for each in VOCABULARY.find(text)] == found


@given(st.lists(st.sampled_from(["卡", "显卡", "stutter", " ", "。", "hot", "reload", "`", "x"]), max_size=20))
def test_what_is_found_stands_there_and_doesnt_overlap(pieces):
    text = "".join(pieces)
    end = 0
    for each in VOCABULARY.find(text):
        assert each.start >= end
        end = each.start + len(each.word)
        assert text[each.start : end] == each.word


SHELL = Vocabulary(
    [
        Term("护盾", ("壳",), meaning="挡住伤害的一层", area="战斗"),
        Term("静态网格", ("壳",), meaning="模型的外形，带材质", area="美术"),
        Term("暴击", ("爆头",), area="战斗"),
    ]
)


@pytest.mark.parametrize(
    ("text", "earlier", "meant"),
    [
        ("壳能挡住多少伤害？", "", {"护盾"}),
        ("壳的材质怎么换？", "", {"静态网格"}),
        ("壳和爆头", "", {"护盾"}),
        ("壳怎么做？", "模型的材质丢了", {"静态网格"}),
        ("壳怎么做？", "", {"护盾", "静态网格"}),
    ],
)
def test_senses_are_told_apart_by_what_is_around(text, earlier, meant):
    found = SHELL.find(text)
    areas = {term.area for each in found if len(each.terms) == 1 for term in each.terms}
    (shell,) = [each for each in found if each.word == "壳"]
    assert {term.name for term in SHELL.sense(shell, text, earlier, areas)} == meant


def test_where_two_say_the_same_the_one_for_more_people_is_told():
    for terms in ([Term("A", ("b",), permissions=(("x",),)), Term("a", ("b",))],) * 2:
        (found,) = Vocabulary(terms).find("b")
        assert [term.permissions for term in found.terms] == [()]


def test_the_nearest_come_first():
    assert [term.name for term in SHELL.nearest("模型的外形", 2)] == ["静态网格", "护盾"]
    assert SHELL.nearest("", 2) == []


@pytest.mark.parametrize(
    ("text", "name", "held"),
    [
        ("two Hitches here", "hitch", True),
        ("hitchhiker", "hitch", False),
        ("数据表格", "数据表", True),
        ("", "a", False),
    ],
)
def test_a_text_holds_a_name_in_any_form(text, name, held):
    assert holds_name(text, name) == held
