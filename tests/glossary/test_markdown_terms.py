"""Terms as people write them into notes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.glossary import Term, terms_in_markdown

GAS = Term("Gameplay Effect", ("BUFF", "状态"))


@pytest.mark.parametrize(
    "text",
    [
        "| 口头叫法 | 引擎术语 |\n| --- | --- |\n| BUFF、状态 | Gameplay Effect |",
        "| Term | Also known as |\n|:--|--:|\n| **Gameplay Effect** | BUFF, 状态 |",
        "| A | B |\n| --- | --- |\n| [[GAS/GE\\|Gameplay Effect]] | `BUFF`<br>状态 |",
        "- **Gameplay Effect**: BUFF, 状态",
        "- **Gameplay Effect:** BUFF；状态",
        "* __Gameplay Effect__：BUFF、状态",
        "- Gameplay Effect — also: BUFF, 状态",
        "- Gameplay Effect：俗称 BUFF、状态。",
        "1. BUFF、状态 → Gameplay Effect",
        "- BUFF, 状态 -> [[Gameplay Effect]]",
        "Gameplay Effect\n: BUFF, 状态",
        "Gameplay Effect\n: BUFF\n: 状态",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_each_way_of_writing_says_the_same(text, line_end):
    assert terms_in_markdown(text.replace("\n", line_end)) == [GAS]


def test_all_that_a_table_can_state():
    text = (
        "| 术语 | 同义词 | 上位 | 下位 | 含义 | 模块 |\n| --- | --- | --- | --- | --- | --- |\n"
        "| 蒙太奇（Montage） | 连招 | 动画 | 攻击蒙太奇、受击蒙太奇 | 一段可打断的动画 | 动画 |\n| | 空行 | | | | |\n"
    )
    assert terms_in_markdown(text) == [
        Term(
            "蒙太奇", ("Montage", "连招"), broader=("动画",), narrower=("攻击蒙太奇", "受击蒙太奇"),
            meaning="一段可打断的动画", area="动画",
        )
    ]  # fmt: skip


def test_headings_are_areas_but_for_the_title():
    table = "| Term | Synonyms | Area |\n|-|-|-|\n| E | f | |\n| G | h | Sound |\n"
    text = f"# Words\n\n- **A**: b\n\n## Art\n\n- **C**: d\n\n### Light\n\n{table}"
    assert [(term.name, term.area) for term in terms_in_markdown(text)] == [
        ("A", ""), ("C", "Art"), ("E", "Light"), ("G", "Sound"),
    ]  # fmt: skip
    assert [term.area for term in terms_in_markdown("- **A**: b", "Art")] == ["Art"]


@pytest.mark.parametrize(
    ("written", "name", "synonyms"),
    [
        ("Gameplay Ability（GA）", "Gameplay Ability", ("GA",)),
        ("渲染目标 (Render Target)", "渲染目标", ("Render Target",)),
        ("Hitch（单帧超过 50 ms）", "Hitch", ()),
        ("`ASpawnPoint`（项目自定义 Actor）", "ASpawnPoint", ()),
        ("r.Nanite (cvar)", "r.Nanite", ()),
    ],
)
def test_what_stands_in_brackets_is_another_name_or_none(written, name, synonyms):
    assert terms_in_markdown(f"- **{written}**") == [Term(name, synonyms)]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("- **Hot Reload**: the old way, which is forbidden.", "the old way, which is forbidden."),
        ("- **热重载**：旧机制，项目里禁用。", "旧机制，项目里禁用。"),
    ],
)
def test_a_sentence_is_no_list_of_synonyms(text, meaning):
    (term,) = terms_in_markdown(text)
    assert (term.synonyms, term.meaning) == ((), meaning)


@pytest.mark.parametrize(
    "text", ["- just an item", "Some prose: with a colon.", "```\n- **A**: b\n```", "%% - **A**: b %%", ""]
)
def test_other_text_states_no_term(text):
    assert terms_in_markdown(text) == []


@given(st.text(alphabet="|-: *_→>\n#a术（）(),、`[]\\", max_size=120))
def test_any_text_is_read(text):
    for term in terms_in_markdown(text):
        assert term.name
        assert term.name not in term.synonyms


def test_long_lines_are_left_alone():
    assert terms_in_markdown("- **A**" + " " * 200_000 + "x") == []


def test_blanks_in_a_cell_are_read_once():
    blanks = " " * 200_000
    assert terms_in_markdown(f"| term | synonyms |\n| --- | --- |\n| A | b{blanks}x , c{blanks}, d |") == [
        Term("A", ("c", "d"))
    ]
