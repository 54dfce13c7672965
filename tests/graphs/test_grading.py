"""The rules by which a round is judged, and by which a question is put in other words or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_fakes import chunk
from obsirag.config import GradingOptions
from obsirag.graphs.grading import judge, next_strategy
from obsirag.graphs.state import Verdict

NAMES = ["BP_Arena", "BP_Lobby", "BP_Tower", "BP_Bridge"]
TENTHS = st.integers(0, 10).map(lambda number: number / 10)
OPTIONS = st.tuples(TENTHS, TENTHS).map(lambda two: GradingOptions(relevant=min(two), threshold=max(two)))
HEALTH = chunk("Health regenerates slowly.")


def verdict(score: float, diagnosis: str, *missing: str, strategy: str | None = None) -> Verdict:
    return Verdict(score=score, diagnosis=diagnosis, missing=list(missing), strategy=strategy)


@given(TENTHS, st.lists(st.sampled_from(NAMES), unique=True), st.sets(st.sampled_from(NAMES)))
def test_the_score_is_made_of_relevance_and_of_the_names_that_are_covered(relevance, asked, held):
    question = f"What is there of {', '.join(f'`{name}`' for name in asked) or 'health'}?"
    evidence = [chunk("Nothing."), *(chunk(f"This is {name}.") for name in sorted(held))]
    given = judge(question, relevance, evidence, evidence, GradingOptions())
    covered = len(held.intersection(asked)) / len(asked) if asked else None
    assert given["score"] == pytest.approx(relevance if covered is None else 0.6 * relevance + 0.4 * covered)
    assert given["missing"] == [name.lower() for name in asked if name not in held]
    assert given["strategy"] is None


@given(TENTHS, OPTIONS)
def test_the_thresholds_belong_to_what_is_above_them(score, options):
    given = judge("How long is the respawn timer?", score, [HEALTH], [HEALTH], options)
    if score < options.relevant:
        assert given["diagnosis"] == "not_relevant"
    else:
        assert given["diagnosis"] == ("not_covered" if score < options.threshold else "enough")


@given(TENTHS, OPTIONS)
def test_without_passages_nothing_is_relevant(score, options):
    assert judge("How long is the respawn timer?", score, [], [HEALTH], options)["diagnosis"] == "not_relevant"


@pytest.mark.parametrize(
    ("diagnosis", "missing", "strategy"),
    [
        ("not_relevant", ["bp_arena"], "generalise"),
        ("not_covered", ["bp_arena"], "specify"),
        ("not_relevant", [], "reformulate"),
        ("not_covered", [], "reformulate"),
        ("enough", [], None),
        ("enough", ["bp_arena"], None),
    ],
)
def test_the_diagnosis_chooses_the_strategy(diagnosis, missing, strategy):
    assert next_strategy([verdict(0.5, diagnosis, *missing)], GradingOptions()) == strategy


@given(TENTHS, TENTHS)
def test_it_goes_on_only_where_the_score_rises(before, last):
    first = verdict(before, "not_covered", "bp_arena", strategy="specify")
    expected = "reformulate" if last > before else None
    assert next_strategy([first, verdict(last, "not_covered")], GradingOptions()) == expected


ROUNDS = [
    verdict(0.1, "not_relevant", "bp_arena", strategy="generalise"),
    verdict(0.2, "not_covered", "bp_arena", strategy="specify"),
    verdict(0.3, "not_covered", strategy="reformulate"),
]


@given(st.permutations(ROUNDS), st.integers(1, 3), st.integers(0, 5))
def test_no_strategy_comes_twice_nor_one_too_often(rounds, done, most):
    """Scores that rise all the time: so nothing else ends it."""
    before = [{**each, "score": number / 10} for number, each in enumerate(rounds[:done])]
    for each in ROUNDS:
        last = {**each, "score": 0.6, "strategy": None}
        used = [verdict["strategy"] for verdict in before]
        expected = None if each["strategy"] in used or done >= most else each["strategy"]
        assert next_strategy([*before, last], GradingOptions(max_rewrites=most)) == expected
