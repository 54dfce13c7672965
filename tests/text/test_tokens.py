from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.text import index_terms, query_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("虚幻引擎", ["虚幻", "幻引", "引擎"]),
        ("猫", ["猫"]),
        ("FTableRowBase", ["ftablerowbase", "f", "table", "row", "base"]),
        ("ABC-200", ["abc-200", "abc", "200"]),
        ("GE_Damage", ["ge_damage", "ge", "damage"]),
        ("r.Nanite", ["r.nanite", "r", "nanite"]),
        ("HTTPServer2", ["httpserver2", "http", "server", "2"]),
        ("ＡＢＣ－１", ["abc-1", "abc", "1"]),
        ("C++ and C#", ["c++", "c", "and", "c#", "c"]),
        ("Café", ["café"]),
        ("用UE5开发", ["用", "ue5", "ue", "5", "开发"]),
        ("", []),
        ("— ，。| ##", []),
    ],
)
def test_terms_of(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


def test_a_path_is_found_whole_by_its_names_and_by_their_parts() -> None:
    terms = index_terms("see /Game/UI/HUD_Main.uasset")
    assert {"game/ui/hud_main.uasset", "hud_main.uasset", "hud", "main", "uasset", "ui"} <= set(terms)


def test_terms_repeat_in_an_index_but_not_in_a_query() -> None:
    assert index_terms("run, Run RUN") == ["run"] * 3
    assert query_terms("run, Run RUN now") == ["run", "now"]


@given(st.text())
def test_a_querys_terms_are_those_of_the_index(text: str) -> None:
    assert set(query_terms(text)) == set(index_terms(text))
    assert all(term and not any(character.isspace() for character in term) for term in index_terms(text))
