"""The page of an evaluation: whatever was asked, found or answered is text, and the page loads and runs nothing."""

import re
from dataclasses import replace

import pytest

from hostile_pages import ALLOWED, EVIL, NAME, SET, Page
from obsirag.cli.eval_page import eval_page
from obsirag.cli.eval_page.overview import FAILINGS
from obsirag.cli.eval_page.shape import Failure, Gold, Hit, Round, Search, Trace
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import (
    AnswerReport,
    AnswerResult,
    EvaluationSummary,
    Fault,
    GoldSpan,
    Question,
    QuestionResult,
    RetrievalReport,
    Turn,
    compare,
)
from obsirag.evaluation.faults import _SAID

HERE = ALLOWED | {
    *("code", "figure", "figcaption", "path", "text", "fieldset", "legend", "label", "input", "h5"),
}
PACKAGE = "obsirag.cli.eval_page"
CITATION = {
    "number": 1,
    "source": NAME,
    "title": EVIL,
    "headings": [EVIL],
    "start_line": 1,
    "end_line": 2,
    "quote": EVIL,
    "link": f"javascript:{SET}",
}


def question(number, text=NAME):
    return Question(
        id=f"{number}-{NAME}",
        question=text,
        kind=NAME,
        lang=NAME,
        gold=(GoldSpan(NAME, 1, 2), GoldSpan("b.md", 1, 1)),
        needs="all",
        key_points=(NAME, "b", "c"),
        history=(Turn(NAME, NAME),),
        labels=(NAME,),
        notes=NAME,
    )


def hit(rank, text=EVIL):
    place = {"source": text, "title": text, "headings": [text], "start_line": 1, "end_line": 3}
    return Hit(
        rank=rank,
        place=place,
        link=f"javascript:{SET}",
        score=0.5,
        text=text,
        is_gold=rank == 2,
        is_leak=rank == 3,
        dropped_by=EVIL if rank == 4 else None,
        duplicate_of=EVIL if rank == 5 else None,
    )


def failure(asked, result, failings):
    searches = tuple(
        Search(
            name=name,
            query=EVIL,
            count=40,
            failed=(EVIL,),
            hits=tuple(map(hit, range(1, 6))),
            gold_ranks=(2, None),
        )
        for name in ("vector_search", EVIL)
    )
    verdict = {"score": 0.4, "diagnosis": EVIL, "missing": [EVIL], EVIL: EVIL}
    told = Round(searches=searches, stages=((EVIL, 3, True), ("grade", 0, False)), verdict=verdict)
    return Failure(
        question=asked,
        result=result,
        failings=failings,
        gold=(
            Gold(place={"source": NAME, "start_line": 1}, link="obsidian://open?vault=v", text=EVIL),
            Gold(place={"source": "b.md"}, fault="withheld"),
        ),
        found=searches[0] if isinstance(result, QuestionResult) else None,
        gold_citations=frozenset({1}),
        trace=Trace(
            rounds=(told, told), plan={"queries": [EVIL], EVIL: {EVIL: EVIL}}, nodes=((EVIL, 0.1),), error=EVIL
        ),
    )


def retrieval(count):
    """Return a report in which nothing is found, with what is kept of it."""
    asked = [question(number) for number in range(count)]
    results = [
        QuestionResult(id=each.id, kind=each.kind, lang=each.lang, returned=5, ranks=(2, None), seconds=0.1)
        for each in asked
    ]
    kept = {each.id: failure(each, result, ("not_found",)) for each, result in zip(asked, results, strict=True)}
    return RetrievalReport(tuple(results)), kept


def answers(count):
    """Return a report in which everything is wrong, with what is kept of it."""
    asked = [question(number) for number in range(count)]
    results = [
        AnswerResult(
            id=each.id,
            kind=each.kind,
            lang=each.lang,
            status=NAME,
            answer=EVIL,
            citations=(CITATION,),
            key_points=(0, 0.5, 1),
            ends_right=False,
            leaked=True,
            degraded_parts=(EVIL,),
            citation_validity=0.0,
            seconds=0.5,
            first_token_seconds=0.0,
            tokens=7,
        )
        for each in asked
    ]
    report = AnswerReport(tuple(results), judge=NAME)
    kept = {
        each.id: failure(each, result, report.failings(result)) for each, result in zip(asked, results, strict=True)
    }
    return report, kept


def page_of(made, language="en", against=None, faults=()):
    report, kept = made
    summary = EvaluationSummary(NAME, report, missing_gold={NAME: (NAME,)}, faults=tuple(map(str, faults)))
    if against is None:
        return eval_page(summary, faults, [kept], language)
    other, also = against
    summary = replace(summary, against=other, against_name=NAME, comparison=compare(report, other, samples=50))
    return eval_page(summary, faults, [kept, also], language)


EVIL_FAULTS = [Fault("leaked", {"count": "1", "ids": EVIL}), Fault("no_value", {"measure": EVIL})]
MADE = [retrieval, answers]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("has_other", [False, True])
def test_hostile_text_stays_text(made, has_other, language):
    page = page_of(made(2), language, made(2) if has_other else None, EVIL_FAULTS)
    page.encode()
    shown = Page(page)
    assert set(shown.tags) <= HERE
    assert not [name for name, _ in shown.attributes if name.startswith("on") or name in ("src", "style", "srcdoc")]
    assert {value for name, value in shown.attributes if name == "href"} == {"obsidian://open?vault=v"}
    assert not set("\u202e\u202c\x00\ud800") & set(page)
    assert page.count("<style>") == page.count("</style>") == 2
    assert SET in shown.text


@pytest.mark.parametrize("made", MADE)
def test_in_a_real_browser_nothing_runs_and_nothing_is_wrong(load_page, made):
    shown, console = load_page(page_of(made(12), "zh", made(12), EVIL_FAULTS))
    assert "data-owned" not in re.search("<html[^>]*>", shown)[0]
    assert console == ""
    assert set(Page(shown).tags) <= HERE


def test_a_browser_runs_no_script_that_somebody_puts_into_the_page(load_page):
    page = page_of(retrieval(1)).replace("<main>", f"<main><script>{SET}</script>")
    shown, console = load_page(page)
    assert "data-owned" not in re.search("<html[^>]*>", shown)[0]
    assert "Content Security Policy" in console


def test_nothing_is_loaded_and_nothing_may_run():
    page = page_of(answers(1))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "url(" not in page
    assert "@import" not in page


def test_both_languages_say_the_same_things_and_all_that_is_needed():
    english, chinese = (Words(language, PACKAGE)._words for language in ("en", "zh"))
    names = {word: set(re.findall(r"\$(\w+)", text)) for word, text in english.items()}
    assert names == {word: set(re.findall(r"\$(\w+)", text)) for word, text in chinese.items()}
    measures = {each.name.partition("@")[0] for made in MADE for each in made(0)[0].measures}
    timed = {name for made in MADE for name in made(0)[0].timings}
    assert {f"measure_{name}" for name in measures} <= set(names)
    assert {f"timed_{name}" for name in timed} <= set(names)
    assert set(FAILINGS) <= set(names)
    for kind, said in _SAID.items():
        assert names[f"fault_{kind}"] == set(re.findall(r"{(\w+)}", said))


@pytest.mark.parametrize("made", MADE)
def test_each_plot_has_its_numbers_beside_it_or_a_name_and_a_table(made):
    page = page_of(made(12), against=made(12))
    drawn = re.findall(r"(<td[^>]*>(?:(?!</td>).)*)?<svg (class=[^>]*)>", page)
    assert {"bars", "difference", "times"} <= {
        re.search('class="([^"]*)"', each)[1] for _, each in drawn if "class" in each
    }
    for _, attributes in drawn:
        assert 'aria-hidden="true"' in attributes or ('role="img"' in attributes and "aria-label=" in attributes)
    for row in re.findall(r"<tr>.*?</tr>", page):
        if "<svg" in row:
            assert re.search(r'<td class="number">[^<]*(<[^>]*>)*[^<]*\d', row)


def test_what_can_be_chosen_is_shown_by_a_rule():
    page = page_of(answers(3), against=answers(2))
    chosen = set(re.findall(r'id="show-(\w+)"', page)) - {"all"}
    assert chosen == {"leaked", "degraded", "wrong_ending", "missing_points", "invalid_citations", "only_a"}
    for name in {*FAILINGS, "only_a", "only_b"}:
        assert f"main:has(#show-{name}:checked) .failure:not(.{name})" in page


def test_the_worst_come_first():
    report, kept = retrieval(3)
    names = [*kept]
    kept[names[2]] = replace(kept[names[2]], failings=("leaked", "not_found"))
    page = page_of((report, kept))
    order = re.findall(r'<details class="failure ([a-z_ ]*)"', page)
    assert order == ["leaked not_found", "not_found", "not_found"]


@pytest.mark.parametrize("made", MADE)
def test_many_failures_are_all_named_on_a_page_of_a_few_megabytes(made):
    page = page_of(made(700), against=made(700))
    assert len(page.encode()) < 8_000_000
    assert page.count('class="failure ') == 700
    assert 'class="trace"' in page
    assert "--json has every result" in page


def test_a_report_in_which_nothing_failed_or_was_asked_has_a_page():
    assert "There are none." in page_of((RetrievalReport(()), {}))
    assert "没有失败的问题。" in page_of((AnswerReport(()), {}), "zh")
    shown = page_of((RetrievalReport((QuestionResult(id="q", ranks=(1,)),)), {}))
    assert "There are none." in shown
    assert "passed" in Page(shown).text


def test_a_difference_that_is_no_chance_is_marked_by_a_sign_and_by_a_word():
    better = RetrievalReport(tuple(QuestionResult(id=f"q{number}", ranks=(1,)) for number in range(20)))
    worse = RetrievalReport(tuple(QuestionResult(id=f"q{number}", ranks=(None,)) for number in range(20)))
    shown = page_of((better, {}), against=(worse, {}))
    assert '<b class="better">▲<span class="unseen"> better</span></b> +1.000' in shown
    shown = page_of((worse, {}), against=(better, {}))
    assert '<b class="worse">▼<span class="unseen"> worse</span></b> -1.000' in shown
    few = [RetrievalReport(each.results[:5]) for each in (better, worse)]
    assert "▲<" not in page_of((few[0], {}), against=(few[1], {}))


def test_of_costs_less_is_better():
    cheap, dear = (
        AnswerReport(tuple(AnswerResult(id=f"q{number}", tokens=tokens) for number in range(20))) for tokens in (1, 9)
    )
    assert '<b class="better">▲<span class="unseen"> better</span></b> -8.000' in page_of(
        (cheap, {}), against=(dear, {})
    )
