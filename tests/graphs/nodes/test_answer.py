"""Drafts: the model's, or quotes."""

import pytest

from obsirag.graphs.nodes.answer import AnswerNode


@pytest.fixture
def state(make_chunk):
    chunks = [make_chunk("The timer is 8 seconds.", permissions=['["leads"]'])]
    return {
        "question": "How long is the timer?",
        "search_text": "How long is the timer?",
        "earlier": [],
        "evidence": chunks,
        "rankings": {"keyword_search": chunks},
        "draft": None,
        "attempts": 0,
        "complaint": "",
    }


def test_a_draft_is_for_those_who_may_read_what_went_into_it(state, make_chat):
    state["earlier"] = [{"question": "q", "answer": "a", "permissions": ['["team"]']}]
    draft = AnswerNode(make_chat("It is 8 [1]."), "v")(state)["draft"]
    assert draft["origin"] == "model"
    assert draft["permissions"] == ['["leads"]', '["team"]']
    quoted = AnswerNode(None, "v")(state)["draft"]
    assert quoted["origin"] == "quoted"
    assert quoted["permissions"] == ['["leads"]']


def test_without_passages_the_model_is_not_asked(state, make_chat):
    chat = make_chat("It is 8.")
    state["evidence"] = []
    assert AnswerNode(chat, "v")(state)["draft"]["origin"] == "none"
    assert chat.prompts == []


async def test_a_model_that_fails_is_replaced_by_quotes(state, make_chat):
    for answer in (RuntimeError("down"), "", None):
        update = AnswerNode(make_chat(answer), "v")(state)
        assert update["degraded"] == ["chat_model"]
        assert update["draft"]["origin"] == "quoted"
        assert await AnswerNode(make_chat(answer), "v").call_async(state) == update


def test_a_model_that_fails_later_leaves_its_last_draft(state, make_chat):
    state["draft"] = AnswerNode(make_chat("It is 8 [1][9]."), "v")(state)["draft"]
    update = AnswerNode(make_chat(RuntimeError("down")), "v")(state)
    assert update["draft"]["text"] == "It is 8 [1][9]."
    assert update["draft"]["final"]
