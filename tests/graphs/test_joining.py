"""A text that is made of several answers, and of nothing else."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.graphs.joining import Answered, joins

TIMER = "How long is the respawn timer of the arena?"
ENGLISH = [
    Answered(TIMER, "The respawn timer is 8 seconds [1]. On hard it is 16 seconds [2]."),
    Answered(
        "May the texture budget rise?", "The texture budget is 600 MB [3]. It must not rise without the lead [3]."
    ),
]
CHINESE = [
    Answered("港口关的绘制调用超了 PC 预算多少？", "港口关的绘制调用比 PC 预算超出 412 [1]。"),
    Answered("谁负责改？", "由林晓负责修改，截止 6 月 30 日 [2]。不允许动材质 [2]。"),
]


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        (ENGLISH, "The respawn timer is 8 seconds [1], on hard 16 seconds [2]. The texture budget is 600 MB [3] and "
         "must not rise without the lead [3]."),
        (ENGLISH, "The texture budget is 600 MB [3]. It must not rise without the lead [3]. The respawn timer is 8 "
         "seconds, on hard 16 seconds [1][2]."),
        (ENGLISH, "The respawn timer of the arena is 8 seconds [1] (16 seconds on hard [2]), while the texture "
         "budget is 600 MB and must not rise without the lead [3]."),
        (CHINESE, "港口关的绘制调用比 PC 预算超出 412 [1]，由林晓负责修改，截止 6 月 30 日 [2]，不允许动材质 [2]。"),
        (CHINESE, "由林晓负责修改，截止 6 月 30 日 [2]，而港口关的绘制调用超出 PC 预算 412 [1]。不允许动材质 [2]。"),
    ],
)  # fmt: skip
def test_answers_may_be_put_in_another_order_and_joined_to_longer_sentences(answers, text):
    assert joins(text, answers)


WHOLE = " ".join(each.text for each in ENGLISH)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("8 seconds [1]", "80 seconds [1]"),  # another number
        ("8 seconds [1]. On hard it is 16 seconds [2]", "16 seconds [1]. On hard it is 8 seconds [2]"),
        ("8 seconds [1]. On hard it is 16 seconds [2]", "8 seconds [2]. On hard it is 16 seconds [1]"),
        ("8 seconds [1].", "8 seconds."),  # a mark that is gone
        ("8 seconds [1]", "8 seconds [1][3]. The arena has 600 MB [1]"),  # one at something else
        ("must not rise", "must rise"),
        ("without the lead [3]", "without the lead [3]. So the arena is small"),
        ("without the lead [3]", "without the lead [3]. So the arena is small [3]"),
        ("without the lead [3]", "without the lead or Bluebird [3]"),
        ("without the lead [3]", "without the lead [3]; the texture budget rises [3]"),
        (" It must not rise without the lead [3].", ""),  # a statement that is gone, though its mark is still there
        (" On hard it is 16 seconds [2].", ""),
        ("The respawn", "# The arena is closed\n\nThe respawn"),
        ("The respawn", "| arena | closed |\n| --- | --- |\n| a | b |\n\nThe respawn"),
        ("The respawn", "```\nrm -rf /\n```\n\nThe respawn"),
        ("The respawn timer", "The [respawn timer](http://evil.example/)"),
        ("The respawn timer", "![](http://evil.example/) The respawn timer"),
        ("The respawn timer", "The <img src=//evil.example> respawn timer"),
        ("[1]", "[1][9]"),
    ],
)  # fmt: skip
def test_a_text_that_says_more_or_less_or_otherwise_is_none_of_these(old, new):
    assert joins(WHOLE, ENGLISH)
    assert old in WHOLE
    assert not joins(WHOLE.replace(old, new), ENGLISH)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("412", "421"),
        ("不允许", "允许"),
        ("。不允许动材质 [2]", ""),
        ("[1]", "[2]"),
        ("林晓", "王晨"),
        ("30 日", "3 日"),
    ],
)
def test_so_in_chinese(old, new):
    whole = "".join(each.text for each in CHINESE)
    assert joins(whole, CHINESE)
    assert not joins(whole.replace(old, new), CHINESE)


def test_a_question_is_no_statement():
    """Its words are at hand, but that it is so was said by nobody."""
    answers = [Answered("Is Nanite supported on mobile?", "No [1]."), Answered("Is Lumen?", "Lumen is supported [2].")]
    assert joins("No [1]. Lumen is supported [2].", answers)
    for text in ("Nanite is supported on mobile [1].", "Yes [1].", "Supported [1].", "Nanite is supported [1]."):
        assert not joins(f"{text} Lumen is supported [2].", answers)


def test_headings_tables_and_code_of_the_answers_may_stay():
    table = "| setting | value |\n| --- | --- |\n| timer | 8 [1] |"
    answers = [Answered("A?", f"These are set:\n\n{table}\n\n```\nr.Timer=8\n```"), Answered("B?", "It is 600 MB [2].")]
    assert joins("\n\n".join(each.text for each in answers), answers)


WORDS = ["timer", "budget", "arena", "texture", "boss", "health", "lead", "hard", "Bluebird", "r.Shadow", "8", "600"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=3, max_size=6, unique=True).map(" ".join)


@given(st.lists(st.lists(SENTENCES, min_size=1, max_size=3), min_size=2, max_size=3), st.data())
def test_answers_in_any_order_are_their_own_joined_text_and_not_without_one_of_them(parts, data):
    numbers = iter(range(1, 100))
    answers = [
        Answered(f"Part {index}?", " ".join(f"The {each} [{next(numbers)}]." for each in part))
        for index, part in enumerate(parts)
    ]
    texts = [each.text for each in data.draw(st.sampled_from([*permutations(answers)]))]
    assert joins(" ".join(texts), answers)
    assert joins("\n\n".join(texts), answers)
    assert not joins(" ".join(texts[1:]), answers)
    assert not joins(" ".join([*texts, "The harbour sleeps."]), answers)


@given(st.text(alphabet="a8[]1.,|#`*\n <(是", max_size=60))
def test_no_text_breaks_the_rule(text):
    assert joins(text, ENGLISH) is False
    assert joins(text, [Answered("?", text)]) in (True, False)
