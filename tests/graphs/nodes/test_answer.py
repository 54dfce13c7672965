"""Drafts: the model's, or quotes."""

import pytest

from obsirag.config import BudgetOptions
from obsirag.graphs.chat import LONGEST_ANSWER
from obsirag.graphs.citation_marks import says_something
from obsirag.graphs.model_calls import ModelCalls, run_without_model
from obsirag.graphs.nodes.answer import AnswerNode
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.state import KNOWLEDGE
from obsirag.graphs.usage import NOTHING


def node(chat):
    return AnswerNode("v", Prompts(), 6000, has_model=chat is not None)


def write(chat, state):
    work = node(chat).work(state)
    return run_without_model(work) if chat is None else ModelCalls(chat, BudgetOptions()).run(work, NOTHING)


async def awrite(chat, state):
    return await ModelCalls(chat, BudgetOptions()).arun(node(chat).work(state), NOTHING)


@pytest.fixture
def state(make_chunk):
    chunks = [make_chunk("The timer is 8 seconds.", permissions=['["leads"]'])]
    return {
        "question": "How long is the timer?",
        "standalone": "How long is the timer?",
        "intent": KNOWLEDGE,
        "terms": [],
        "earlier": [],
        "conversation": [],
        "evidence": chunks,
        "rankings": {"keyword_search": chunks},
        "draft": None,
        "attempts": 0,
        "complaint": "",
    }


def test_a_draft_is_for_those_who_may_read_what_went_into_it(state, make_chat):
    state["earlier"] = [{"question": "q", "answer": "a", "permissions": ['["team"]']}]
    draft = write(make_chat("It is 8 [1]."), state)["draft"]
    assert draft["origin"] == "model"
    assert draft["permissions"] == ['["leads"]', '["team"]']
    quoted = write(None, state)["draft"]
    assert quoted["origin"] == "quoted"
    assert quoted["permissions"] == ['["leads"]', '["team"]']


def test_without_passages_the_model_is_not_asked(state, make_chat):
    chat = make_chat("It is 8.")
    state["evidence"] = []
    assert write(chat, state)["draft"]["origin"] == "none"
    assert chat.prompts == []


async def test_a_model_that_fails_is_replaced_by_quotes(state, make_chat):
    for answer in (RuntimeError("down"), "", None):
        update = write(make_chat(answer), state)
        assert update["degraded"] == ["chat_model"]
        assert update["draft"]["origin"] == "quoted"
        assert await awrite(make_chat(answer), state) == update


def test_a_model_that_fails_later_leaves_its_last_draft(state, make_chat):
    state["draft"] = write(make_chat("It is 8 [1][9]."), state)["draft"]
    update = write(make_chat(RuntimeError("down")), state)
    assert update["draft"]["text"] == "It is 8 [1][9]."
    assert update["draft"]["final"]


def test_whatever_comes_of_a_follow_up_is_for_those_who_may_read_what_it_refers_to(state, make_chat):
    state["earlier"] = [{"question": "q", "answer": "a", "permissions": ['["team"]']}]
    for evidence, chat in ((state["evidence"], make_chat("NOT_FOUND")), ([], None)):
        draft = write(chat, {**state, "evidence": evidence})["draft"]
        assert draft["origin"] == "none"
        assert draft["permissions"] == ['["team"]']


def test_an_endless_answer_is_cut_and_says_so(state, make_chat):
    text = write(make_chat("It is 8 [1]. " * 10_000), state)["draft"]["text"]
    assert len(text) < LONGEST_ANSWER + 100
    assert text.endswith("cut here.)")


def test_a_call_that_would_pass_the_budget_is_not_made(state, make_chat):
    chat = make_chat("It is 8 seconds [1].")
    calls = ModelCalls(chat, BudgetOptions(tokens=1000))
    state["question"] = state["standalone"] = "How long is the timer? " * 500
    update = calls.run(node(chat).work(state), NOTHING)
    assert chat.prompts == []
    assert update["degraded"] == ["budget"]
    assert update["draft"]["origin"] in ("quoted", "none")


def test_marks_without_words_are_no_answer_however_many(state, make_chat):
    draft = write(make_chat("[1]" * 10_000), state)["draft"]
    assert not says_something(draft["text"])
