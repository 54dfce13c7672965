import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.feedback import Mark
from obsirag.feedback.preference import MarkedQuestion, likeness, terms_of, weigh_marks

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
QUESTION = "how long does the shader cache live"
TERMS = terms_of(QUESTION)


def marked(name="m", kind="good", sources=("a.md",), age=0, question=QUESTION):
    mark = Mark(id=name, kind=kind, question=question, sources=tuple(sources), at=NOW - timedelta(days=age))
    return MarkedQuestion(mark, terms_of(question))


def weigh(*marks, half_life=30.0, min_likeness=0.5, now=NOW):
    return weigh_marks(marks, TERMS, now=now, half_life=half_life, min_likeness=min_likeness)


marks = st.builds(
    marked,
    name=st.text("abc", min_size=1, max_size=3),
    kind=st.sampled_from(["good", "bad", "better_source", "correction"]),
    sources=st.lists(st.sampled_from(["a.md", "b.md", "c.md"]), min_size=1, max_size=3, unique=True),
    age=st.integers(-5, 4000),
    question=st.sampled_from([QUESTION, "shader cache", "how long does the texture pool live", "noodles", ""]),
)


@given(st.lists(marks, max_size=12), st.randoms())
def test_shares_are_bounded_and_don_t_hang_on_the_order_of_marks(given_marks, chance):
    weighed = weigh(*given_marks)
    assert all(-1 < each.share < 1 for each in weighed.values())
    shuffled = [*given_marks]
    chance.shuffle(shuffled)
    assert {name: each.share for name, each in weigh(*shuffled).items()} == {
        name: each.share for name, each in weighed.items()
    }


@given(st.lists(marks, max_size=12), marks)
def test_a_mark_that_is_taken_back_leaves_nothing(given_marks, further):
    before = weigh(*given_marks)
    weigh(*given_marks, further)
    assert weigh(*given_marks) == before


@given(st.lists(marks, max_size=12))
def test_one_more_vote_for_a_source_never_lowers_it(given_marks):
    before = weigh(*given_marks).get("a.md")
    after = weigh(*given_marks, marked("zz"))["a.md"].share
    assert after >= (before.share if before else 0.0)
    assert weigh(*given_marks, marked("zz", "bad"))["a.md"].share <= (before.share if before else 0.0)


@pytest.mark.parametrize("half_life", [1.0, 30.0, 365.0])
def test_a_mark_counts_half_after_each_half_life(half_life):
    def weight(share):
        return share / (1 - share)

    fresh, older = (weigh(marked(age=age), half_life=half_life)["a.md"].share for age in (0, int(half_life)))
    assert math.isclose(weight(older), weight(fresh) / 2)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_older_marks_never_count_more(one, other):
    newer, older = sorted((one, other))
    assert weigh(marked(age=older))["a.md"].share <= weigh(marked(age=newer))["a.md"].share


def test_all_day_long_a_mark_weighs_the_same():
    early = datetime(2026, 5, 1, 0, 0, 1, tzinfo=UTC)
    late = datetime(2026, 5, 1, 23, 59, 59, tzinfo=UTC)
    assert weigh(marked(age=3), now=early) == weigh(marked(age=3), now=late)


def test_one_mark_is_one_vote_however_many_sources_it_is_on():
    alone = weigh(marked())["a.md"].share
    shared = weigh(marked(sources=("a.md", "b.md")))
    assert shared["a.md"].share == shared["b.md"].share < alone


def test_a_correction_moves_nothing():
    assert weigh(marked(kind="correction")) == {}


def test_marks_on_other_questions_don_t_count():
    assert weigh(marked(question="where are the noodles")) == {}
    assert weigh(marked(question="where are the noodles"), min_likeness=0.0) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("刷怪什么时候停？", "什么时候会停止刷怪"),
        ("How do I enable Nanite?", "enabling nanite, how"),
        ("GE_Damage", "ge_damage"),
    ],
)
def test_other_wordings_are_alike(one, other):
    assert likeness(terms_of(one), terms_of(other)) >= 0.5


@pytest.mark.parametrize("text", ["", "?!", "what is it", "的了吗"])
def test_of_questions_without_content_nothing_is_known(text):
    assert likeness(terms_of(text), terms_of(text)) == 0
