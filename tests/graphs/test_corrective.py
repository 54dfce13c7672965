"""Judging what was found, searching again in other words, and the web as the way out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import BudgetOptions, GradingOptions, WebSearchOptions
from obsirag.graphs.bounds import bounds_of_parts
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.retrievers import WebHit, WebPage, WebSearch, WebSearchProvider

QUESTION = "How long is the respawn timer?"
TIMER = chunk("The respawn timer is 8 seconds.", source="Rules.md")
HEALTH = chunk("Health regenerates slowly.", source="Health.md", score=0.5)
URL = "https://wiki.example.org/timers"


class Wiki(WebSearchProvider):
    """A web of one page."""

    def __init__(self, fails: str = "") -> None:
        self.asked: list[Any] = []
        self.fails = fails

    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        self.asked.append(query)
        if self.fails == "search":
            raise ConnectionError
        return [WebHit(URL, "Timers", "The respawn timer …")]

    def extract(self, urls):
        self.asked.append(urls)
        if self.fails == "extract":
            raise ConnectionError
        return [WebPage(URL, "The respawn timer of the wiki is 9 seconds.")]


def grades(*scores: float) -> str:
    inside = ", ".join(f'{{"id": {number}, "score": {score}}}' for number, score in enumerate(scores, 1))
    return f'{{"grades": [{inside}]}}'


def chat(**scripts: Any) -> ManyTasksChat:
    usual = {
        "answer": ["It is 8 seconds [1]."],
        "grade": [grades(1, 0)],
        "rewrite": ["How long until a player respawns?"],
        "contextualise": ["How long is the respawn timer on hard?"],
    }
    return ManyTasksChat(answers=[], prompts=[], scripts=usual | scripts)


def parts(model: ManyTasksChat | None, *hits: Any, **changes: Any) -> RagParts:
    search = FakeSearch(list(hits))
    return RagParts(
        **{"vector_search": search, "keyword_search": None, "chat_model": model, "grades": True, "vault": "v"} | changes
    )


def ask(made: RagParts, question: str = QUESTION, **config: Any) -> dict[str, Any]:
    return wire_rag_graph(made).compile().invoke({"messages": [("user", question)]}, **config)


def test_what_is_good_enough_is_answered_at_once_without_what_is_worthless():
    model = chat()
    made = parts(model, TIMER, HEALTH)
    result = ask(made)
    assert result["answer"] == "It is 8 seconds [1]."
    assert made.vector_search.asked == [QUESTION]
    assert "Health" not in model.asked("answer")[0]
    assert not model.asked("rewrite")


def test_the_others_are_judged_only_if_the_first_ones_fit():
    hits = [chunk(f"Timer {number}.", source=f"{number}.md") for number in range(5)]
    for first, calls in (
        (grades(1, 1, 1), 2),
        (grades(1, 0, 0), 1),
        (grades(0.5, 0.5, 0.5), 1),  # their mean has to be over `relevant`
        (grades(0.5, 0.5, 0.51), 2),
    ):
        model = chat(grade=[first, grades(0.1, 0.9)])
        ask(parts(model, *hits, grading=GradingOptions(max_rewrites=0)))
        assert len(model.asked("grade")) == calls


def test_it_searches_again_in_other_words_and_keeps_what_told_a_part():
    model = chat(grade=[grades(0.6, 0.0), grades(0.9)])
    made = parts(model, HEALTH, TIMER)
    result = ask(made)
    assert made.vector_search.asked == [QUESTION, "How long until a player respawns?"]
    assert result["status"] == "answered"
    assert QUESTION in model.asked("rewrite")[0]


def test_what_is_not_relevant_does_not_reach_the_answer():
    model = chat(grade=[grades(0.0)])
    result = ask(parts(model, HEALTH))
    assert result["status"] == "not_found"
    assert not model.asked("answer")
    assert result["degraded"] == []


def test_a_models_low_opinion_does_not_outweigh_the_questions_own_words():
    model = chat(grade=[grades(0.0)])
    result = ask(parts(model, TIMER))
    assert result["answer"] == "It is 8 seconds [1]."


class Rounds(FakeSearch):
    """Finds something else in each round."""

    def search(self, query: str, **options: Any) -> list[Any]:
        super().search(query, **options)
        return [self.hits[min(len(self.asked), len(self.hits)) - 1]]


LACKS = HEALTH
HOLDS = chunk("BP_Arena is new.", source="Arena.md")


@pytest.mark.parametrize(
    ("found", "scores", "searches"),
    [
        ([LACKS, HOLDS], [1.0, 0.4], 3),  # .6, .64: it rises, by another strategy each time
        ([LACKS, HOLDS], [1.0, 0.3], 2),  # .6, .58: it falls
        ([LACKS, LACKS], [0.9, 0.9], 2),  # it stays
        ([LACKS, LACKS], [0.9, 1.0], 2),  # it rises, but the name is missing again: the same strategy would come twice
        ([LACKS, HOLDS, HOLDS], [1.0, 0.4, 0.45], 3),  # .6, .64, .67: twice is enough
    ],
)
def test_it_ends_where_the_score_does_not_rise_or_a_strategy_would_come_twice(found, scores, searches):
    model = chat(grade=[grades(score) for score in scores], rewrite=[f"Other words {number}?" for number in range(9)])
    made = parts(model, vector_search=Rounds(found))
    ask(made, "What is `BP_Arena`?")
    assert len(made.vector_search.asked) == searches


@pytest.mark.parametrize(("scores", "searches"), [([0.6, 0.65, 0.66], 2), ([0.7], 1), ([0.69], 2)])
def test_a_question_without_names_is_put_in_other_words_once_if_it_is_under_the_threshold(scores, searches):
    model = chat(grade=[grades(score) for score in scores], rewrite=[f"Other words {number}?" for number in range(9)])
    made = parts(model, HEALTH)
    ask(made)
    assert len(made.vector_search.asked) == searches


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ([1, 0.2, 0.19], ["0.md", "1.md"]),
        ([0.2, 0.2, 0.1], ["0.md", "1.md"]),
        ([0.1, 0.19, 0.0], ["0.md", "1.md", "2.md"]),  # none is worth more
    ],
)
def test_noise_is_left_out_where_something_else_is_worth_more(given, left):
    hits = [chunk(f"The respawn timer {number}.", source=f"{number}.md") for number in range(3)]
    model = chat(grade=[grades(*given)])
    ask(parts(model, *hits, grading=GradingOptions(max_rewrites=0)))
    assert [f"{number}.md" for number in range(3) if f'"{number}.md' in model.asked("answer")[0]] == left


def test_words_that_were_tried_are_told_and_not_searched_for_again():
    model = chat(grade=[grades(1.0), grades(0.4)], rewrite=["Which new arenas are there?"])
    made = parts(model, vector_search=Rounds([LACKS, HOLDS]))
    ask(made, "What is `BP_Arena`?")
    assert made.vector_search.asked == ["What is `BP_Arena`?", "Which new arenas are there?"]
    assert "- What is `BP_Arena`?\n- Which new arenas are there?\n" in model.asked("rewrite")[1]


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_judgement_of_a_passage_that_is_not_there_judges_none(number):
    model = chat(grade=[f'{{"grades": [{{"id": {number}, "score": 0}}, {{"id": 1, "score": 1}}]}}'])
    result = ask(parts(model, TIMER, HEALTH))
    assert result["degraded"] == []
    for text in ("8 seconds", "regenerates slowly"):
        assert text in model.asked("answer")[0]


@pytest.mark.parametrize("mode", ["strict", "fallback"])
def test_whatever_the_number_of_steps_what_was_found_is_not_lost(mode):
    def made() -> RagParts:
        model = chat(grade=[grades(0.6), grades(0.65)])
        return parts(model, TIMER, **(web(Wiki("search"), mode) if mode != "strict" else {}))

    steps = bounds_of_parts(made()).recursion_limit
    for limit in range(5, steps + 1):
        result = ask(made(), config={"recursion_limit": limit})
        assert [each["source"] for each in result["citations"]] == ["Rules.md"], limit


def test_a_name_that_is_missing_chooses_the_strategy():
    model = chat(grade=[grades(1.0)])
    ask(parts(model, TIMER), "How long is the timer of `BP_Arena`?")
    assert "nothing on: bp_arena" in model.asked("rewrite")[0]
    model = chat(grade=[grades(0.0)])
    ask(parts(model, HEALTH), "How long is the timer of `BP_Arena`?")
    assert "Nothing was found on: bp_arena" in model.asked("rewrite")[0]


@pytest.mark.parametrize("words", [QUESTION, QUESTION.upper(), "", "x" * 500, RuntimeError("down")])
def test_without_new_words_there_is_no_further_search(words):
    model = chat(grade=[grades(0.6)], rewrite=[words])
    made = parts(model, TIMER)
    result = ask(made)
    assert result["answer"].startswith("It is 8 seconds [1].")
    assert result["degraded"] == (["rewriting"] if isinstance(words, RuntimeError) else [])
    assert len(made.vector_search.asked) == 1


@pytest.mark.parametrize("given", ["no idea", "[]", "{}", '{"grades": [{"id": 7, "score": 1}]}', "", RuntimeError("x")])
def test_a_model_that_cannot_judge_leaves_it_to_the_words(given):
    model = chat(grade=[given])
    result = ask(parts(model, TIMER, HEALTH))
    assert result["answer"].startswith("It is 8 seconds [1].")
    assert result["degraded"] == ["grading"]
    assert len(model.asked("grade")) <= 3


@pytest.mark.parametrize(
    "given",
    ['```json\n{"grades": [{"id": 1, "score": 1}]}\n```', 'Sure: [{"id": "1", "score": "1.0"}]', '{"1": 0.9, "2": 0}'],
)
def test_judgements_are_read_however_they_are_written(given):
    result = ask(parts(chat(grade=[given]), TIMER, HEALTH))
    assert (result["answer"], result["degraded"]) == ("It is 8 seconds [1].", [])


def test_without_a_model_words_judge():
    assert ask(parts(None, TIMER, HEALTH))["status"] == "answered"
    assert ask(parts(None, HEALTH))["status"] == "not_found"


def web(provider: Wiki, mode: str) -> dict[str, Any]:
    return {"web": WebSearch(provider), "web_options": WebSearchOptions(mode=mode)}


@pytest.mark.parametrize("model", [True, False])
@pytest.mark.parametrize("grading", [True, False])
def test_the_web_is_asked_where_the_notes_are_not_enough(model, grading):
    wiki = Wiki()
    made = parts(chat(grade=[grades(0.0)]) if model else None, HEALTH, grades=grading, **web(wiki, "fallback"))
    result = ask(made)
    assert wiki.asked == [QUESTION, [URL]]
    assert result["status"] == "answered"
    assert [(each["source"], each["link"], each["start_line"]) for each in result["citations"]] == [(URL, URL, 0)]
    assert "9 seconds" in result["citations"][0]["quote"]


def test_the_web_is_not_asked_where_the_notes_are_enough():
    wiki = Wiki()
    assert ask(parts(chat(), TIMER, **web(wiki, "fallback")))["citations"][0]["source"] == "Rules.md"
    assert wiki.asked == []


def test_the_web_is_asked_beside_the_notes():
    wiki = Wiki()
    model = chat(grade=[grades(1, 1)])
    result = ask(parts(model, TIMER, **web(wiki, "hybrid")))
    assert wiki.asked == [QUESTION, [URL]]
    assert "wiki is 9 seconds" in model.asked("answer")[0]
    assert result["status"] == "answered"


@pytest.mark.parametrize("mode", ["fallback", "hybrid"])
@pytest.mark.parametrize(("fails", "degraded"), [("search", ["web_search"]), ("extract", ["web_pages"])])
def test_a_web_that_fails_costs_what_it_would_have_given(mode, fails, degraded):
    wiki = Wiki(fails)
    result = ask(parts(chat(grade=[grades(0.6)]), TIMER, **web(wiki, mode)))
    assert result["status"] == "answered"
    assert result["degraded"] == degraded


def test_the_budget_ends_calls_and_says_so():
    model = chat(grade=[grades(0.6)])
    result = ask(parts(model, TIMER, budget=BudgetOptions(model_calls=1)))
    assert len(model.prompts) == 1
    assert result["status"] == "answered"
    assert "budget" in result["degraded"]
    assert "8 seconds" in result["answer"]
    message = result["messages"][-1]
    assert message.additional_kwargs["obsirag"]["chat_model_calls"] == 1
    assert message.usage_metadata["input_tokens"] > 50


TEXT = st.sampled_from([
    grades(0.0), grades(0.6), grades(1.0), "no JSON", "", "It is 8 [1].", "Bad [9].", "NOT_FOUND", "Other words?",
    "Still other words?", RuntimeError("down"),
])  # fmt: skip


@given(
    script=st.lists(TEXT, min_size=1, max_size=6),
    rewrites=st.integers(0, 3),
    mode=st.sampled_from(["strict", "hybrid", "fallback"]),
    limit=st.integers(3, 40),
    calls=st.integers(0, 12),
    fails=st.sampled_from(["", "search", "extract"]),
)
def test_always_ends_within_its_bounds(script, rewrites, mode, limit, calls, fails):
    model = chat(answer=script, grade=script, rewrite=script)
    wiki = Wiki(fails)
    made = parts(
        model,
        TIMER,
        HEALTH,
        grading=GradingOptions(max_rewrites=rewrites),
        budget=BudgetOptions(model_calls=calls),
        **(web(wiki, mode) if mode != "strict" else {}),
    )
    bounds = bounds_of_parts(made)
    result = ask(made, config={"recursion_limit": bounds.recursion_limit})
    assert "recursion_limit" not in result["degraded"]
    assert result["status"] in ("answered", "not_found")
    assert len(model.prompts) <= bounds.chat_model_calls <= calls
    assert (
        len(made.vector_search.asked) + len([each for each in wiki.asked if isinstance(each, str)]) <= bounds.searches
    )
    steps = list(
        wire_rag_graph(made)
        .compile()
        .stream({"messages": [("user", QUESTION)]}, {"recursion_limit": limit}, stream_mode="values")
    )
    assert steps[-1]["status"] in ("answered", "not_found")
    assert steps[-1]["answer"]
