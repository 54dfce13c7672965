import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.evaluation import Question, judge_by_rule, load_questions, states

RIGHT = [
    ("压力大于 0.7 时停止刷怪", "压力值大于 0.7 时，战斗导演会停止刷怪[1]。"),
    ("压力大于 0.7 时停止刷怪", "> **压力大于 ０.７** 时停止刷怪\n\n— 玩法架构 [1]"),
    (
        "不要存 FindRow 返回的指针，表重新导入后会失效",
        "不要长期存放 `FindRow` 返回的指针，因为表重新导入以后它会失效。",
    ),
    ("不要存 FindRow 返回的指针，表重新导入后会失效", "FindRow 返回的指针不能存下来：重新导入表之后指针失效。"),
    ("长期持有用 FDataTableRowHandle", "要长期持有的话，用 `FDataTableRowHandle`。"),
    ("不会", "不会。带 Period 的效果改的是 BaseValue。"),
    ("游戏线程 18 ms、渲染线程 16 ms", "| 项目 | 掌机 |\n|---|---|\n| 游戏线程 | 18 ms |\n| 渲染线程 | 16 ms |"),
    ("6 月 18 日 10:00 到 14:00", "发版窗口：6月18日10:00-14:00。"),
    ("Draw Call 1200，内存 5.5 GB", "Draw Call 上限 1,200；内存 5.5GB。"),
    ("笔记里是不是有 UPROPERTY 说明", "笔记里有 UPROPERTY 说明。"),
    ("the due date is edited", "When both exist, Postpone edits the due date [1]."),
    ("not after 17:00", "You may not submit after 17:00 on a Friday [1]."),
    ("Tasks does not link occurrences or count them", "No: occurrences aren't linked or counted by Tasks."),
    ("No, `for x times` is not supported", "`for x times` is not supported."),
    ("`not done` treats ON_HOLD like TODO", "The filter `not done` treats `ON_HOLD` like `TODO`."),
    ("always restart Obsidian", "Open the settings.\n\nThen, always, restart Obsidian."),
    ("Keep", 'The value is "Keep".'),
    ('( ), [ ], { } and " "', 'Delimiters are ( ), [ ], { } and " ".'),
]
WRONG = [
    ("压力大于 0.7 时停止刷怪", "压力大于 0.75 时停止刷怪[1]。"),
    ("压力大于 0.7 时停止刷怪", "压力大于 0.7 时不会停止刷怪"),
    ("压力大于 0.7 时停止刷怪", "当压力超过 0.7 时就不再停止刷怪"),
    ("不要存 FindRow 返回的指针，表重新导入后会失效", "可以存 FindRow 返回的指针，表重新导入后会失效"),
    ("不要存 FindRow 返回的指针，表重新导入后会失效", "可以一直存 FindRow 返回的指针，表重新导入后也不会失效。"),
    ("长期持有用 FDataTableRowHandle", "长期持有不要用 FDataTableRowHandle。"),
    ("长期持有用 FDataTableRowHandle", "长期持有用 FDataTableHandle。"),
    ("不会", "会的，消失后会还回来。这不会有问题。"),
    ("游戏线程 18 ms、渲染线程 16 ms", "游戏线程 16 ms，渲染线程 12 ms。"),
    ("6 月 18 日 10:00 到 14:00", "发版窗口是 6 月 18 日 10:00 到 15:00。"),
    ("the due date is edited", "The due date is not edited."),
    ("not after 17:00", "You may submit until 18:00."),
    ("not after 17:00", "Submitting after 17:00 is fine."),
    ("Tasks does not link occurrences or count them", "Tasks links occurrences and counts them."),
    ("always restart Obsidian", "There is no need to restart Obsidian, always leave it open."),
    ("always restart Obsidian", "Open Obsidian."),
    ("always restart Obsidian", ""),
    ("Keep", "It is Keeper."),
]


@pytest.mark.parametrize(("point", "answer"), RIGHT)
def test_an_answer_that_says_it_states_the_point(point: str, answer: str) -> None:
    assert states(answer, point)


@pytest.mark.parametrize(("point", "answer"), WRONG)
def test_another_number_another_name_and_the_contrary_do_not(point: str, answer: str) -> None:
    assert not states(answer, point)


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        ("not after 17:00", "Submit before 17:00."),  # other words for the same
        ("三个字段都带 UPROPERTY", "每个成员都有 UPROPERTY。"),
    ],
)
def test_what_the_rule_cannot_see(point: str, answer: str) -> None:
    assert not states(answer, point)


def test_what_stands_far_apart_is_no_statement() -> None:
    assert not states("The due line.\n\nSomething else.\n\nIt is edited, this line.", "the due date is edited")


def test_every_key_point_of_the_question_sets_states_itself(test_data) -> None:
    questions = [each for file in (test_data / "questions").glob("*.jsonl") for each in load_questions(file)]
    points = [point for question in questions for point in question.key_points]
    assert len(points) > 100
    assert [point for point in points if not states(point, point)] == []
    numbered = [point for point in points if re.search(r"(?<![\w.:/-])\d+(?![\w.:/-])", point)]
    changed = {point: re.sub(r"(?<![\w.:/-])(\d+)(?![\w.:/-])", r"9\1", point) for point in numbered}
    assert [point for point, wrong in changed.items() if states(wrong, point)] == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_judged(answer: str, point: str) -> None:
    assert states(answer, point) in (True, False)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_number_is_that_number_alone(one: int, other: int) -> None:
    assert states(f"上限是 {one} 个。", f"上限是 {other} 个") == (one == other)


def test_a_question_is_judged_point_by_point() -> None:
    question = Question(id="q", question="?", gold=(), key_points=("上限是 5 个", "下限是 3 个"))
    assert judge_by_rule(question, "上限是 5 个，下限是 4 个。") == [1.0, 0.0]
