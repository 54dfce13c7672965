import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.evaluation import QuestionResult, RetrievalReport, compare

RANKS = st.dictionaries(st.text("abc", min_size=1, max_size=2), st.none() | st.integers(1, 15), min_size=1)


def result(name: str, rank: int | None, **fields) -> QuestionResult:
    shares = {"line_precision": 1 / (rank or 10), "line_recall": 0.5, "distinct_notes": 3}
    return QuestionResult(id=name, ranks=(rank,), note_rank=rank, **({"kind": "k", "lang": "zh"} | shares | fields))


def report(**ranks: int | None) -> RetrievalReport:
    return RetrievalReport(tuple(result(name, rank) for name, rank in ranks.items()))


@given(RANKS, st.randoms())
def test_a_report_does_not_differ_from_itself_in_any_order(ranks, random) -> None:
    one = report(**ranks)
    shuffled = [*one.results]
    random.shuffle(shuffled)
    comparison = compare(one, RetrievalReport(tuple(shuffled)), samples=20)
    assert comparison.gained == comparison.lost == comparison.unpaired == ()
    for group in (comparison.overall, *comparison.by_kind.values(), *comparison.by_lang.values()):
        assert group.questions == len(ranks)
        assert set(group.intervals.values()) == {(0.0, 0.0, 0.0)}


@given(st.lists(st.tuples(st.none() | st.integers(1, 15), st.none() | st.integers(1, 15)), min_size=1, max_size=12))
def test_swapping_the_reports_mirrors_everything(pairs) -> None:
    first = report(**{f"q{number}": one for number, (one, _) in enumerate(pairs)})
    second = report(**{f"q{number}": other for number, (_, other) in enumerate(pairs)})
    there, back = compare(first, second, samples=50), compare(second, first, samples=50)
    assert (there.gained, there.lost) == (back.lost, back.gained)
    for name, one in there.overall.intervals.items():
        other = back.overall.intervals[name]
        assert other == pytest.approx((-one.difference, -one.high, -one.low), abs=1e-12)


def test_differences_are_those_of_the_figures_by_group() -> None:
    first = RetrievalReport((result("a", 1, kind="x"), result("b", 2, kind="y"), result("n", None, has_gold=False)))
    second = RetrievalReport((result("b", None, kind="y"), result("a", 4, kind="x"), result("n", 1, has_gold=False)))
    comparison = compare(first, second, samples=100)
    for name, interval in comparison.overall.intervals.items():
        assert interval.difference == pytest.approx(first.overall.figures[name] - second.overall.figures[name])
    assert comparison.overall.questions == 2
    assert comparison.by_kind["x"].intervals["recall@1"].difference == 1.0
    assert comparison.by_kind["y"].intervals["recall@5"].difference == 1.0
    assert comparison.by_kind["k"].questions == 0
    assert comparison.by_kind["k"].intervals == {}


def test_what_only_one_found_is_named() -> None:
    first = report(both=1, gained=10, lost=11, neither=None, mine=1)
    second = report(theirs=1, both=9, gained=None, lost=2, neither=30)
    comparison = compare(first, second, samples=10)
    assert (comparison.gained, comparison.lost) == (("gained",), ("lost",))
    assert comparison.unpaired == ("mine", "theirs")
    assert comparison.overall.questions == 4


def test_another_seed_draws_otherwise() -> None:
    one = report(**{f"q{n}": n % 7 + 1 for n in range(30)})
    other = report(**{f"q{n}": n % 5 + 1 for n in range(30)})
    assert compare(one, other, samples=100) == compare(one, other, samples=100, seed=0)
    assert compare(one, other, samples=100) != compare(one, other, samples=100, seed=1)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="no question in common"):
        compare(report(a=1), report(b=1))
    with pytest.raises(ValueError, match="cannot be compared"):
        compare(report(a=1), RetrievalReport(report(a=1).results, k=(1,)))
    twice = RetrievalReport(report(a=1).results + report(a=2).results)
    with pytest.raises(ValueError, match="'a' comes twice"):
        compare(twice, report(a=1))


def test_the_table_has_a_column_for_each_group_and_no_interval_of_few_pairs() -> None:
    many = {f"q{number}": 1 for number in range(10)}
    none = {f"q{number}": None for number in range(10)}
    first, second = report(**many), report(**none)
    few = RetrievalReport((result("z", 1, kind="few", lang="en"),))
    table = compare(first + few, second + few, samples=10).to_markdown()
    assert table.startswith("| difference | all (11) | k (10) | few (1) | zh (10) | en (1) |\n")
    row = next(line for line in table.splitlines() if line.startswith("| recall@1 |")).split(" | ")
    assert row[2] == "+1.000* [+1.000, +1.000]"
    assert row[3] == "+0.000"


def test_json_holds_every_group() -> None:
    content = json.loads(compare(report(a=1, b=2), report(a=3, b=None), samples=10).to_json())
    assert content["overall"]["questions"] == 2
    assert content["by_lang"]["zh"]["intervals"]["recall@1"] == {"difference": 0.5, "low": 0.0, "high": 1.0}
    assert (content["gained"], content["samples"], content["confidence"]) == (["b"], 10, 0.95)
