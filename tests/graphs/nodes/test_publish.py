"""What a run gives out."""

import pytest

from obsirag.config import RetrievalOptions
from obsirag.graphs.nodes.fuse import FuseNode
from obsirag.graphs.nodes.publish import PublishNode
from obsirag.graphs.state import Draft, clear_work
from obsirag.graphs.thread_permissions import MESSAGE_KEY
from obsirag.graphs.usage import Usage

PUBLISH = PublishNode("v", FuseNode(RetrievalOptions(), 5))


def state(draft, **changes):
    question = "How long is the timer?"
    return {
        **clear_work(),
        "rankings": {},
        "usage": Usage(calls=2, input_tokens=30, output_tokens=4),
        "degraded": [],
        "question": question,
        "standalone": question,
        "search_text": question,
        "terms": [],
        "draft": draft,
    } | changes


def test_the_message_carries_what_a_front_end_and_the_next_turn_need():
    draft = Draft(
        text="It is 8 [1].",
        origin="model",
        citations=[{"number": 1}],
        permissions=['["x"]'],
        final=False,
        read="",
        message_id="",
    )
    update = PUBLISH(state(draft))
    (message,) = update["messages"]
    assert message.text == update["answer"] == "It is 8 [1]."
    assert message.additional_kwargs[MESSAGE_KEY] == {
        "status": "answered",
        "origin": "model",
        "citations": [{"number": 1}],
        "permissions": ['["x"]'],
        "chat_model_calls": 2,
    }
    assert message.usage_metadata == {"input_tokens": 30, "output_tokens": 4, "total_tokens": 34}
    assert update["draft"] is None


@pytest.mark.parametrize(
    ("question", "words"), [("定时器多长？", "笔记里没有找到"), ("How long?", "nothing in the notes")]
)
def test_not_found_is_said_in_the_questions_language(question, words):
    draft = Draft(text="", origin="none", citations=[], permissions=[], final=True, read="", message_id="")
    update = PUBLISH(state(draft, question=question, degraded=["vector_search"]))
    assert update["status"] == "not_found"
    assert words in update["answer"]
    assert update["citations"] == []
    assert update["degraded"] == ["vector_search"]


def test_without_a_draft_the_hits_are_quoted(make_chunk):
    update = PUBLISH(state(None, rankings={"keyword_search": [make_chunk("The timer is 8 seconds.")]}))
    assert update["status"] == "answered"
    assert update["degraded"] == ["recursion_limit"]
    assert "The timer is 8 seconds." in update["answer"]


def test_without_steps_to_search_it_says_so_and_not_that_nothing_was_found():
    update = PUBLISH(state(None))
    assert update["status"] == "not_found"
    assert update["degraded"] == ["recursion_limit"]
    assert "no steps left" in update["answer"]
    assert "found nothing" not in update["answer"]
    assert "found nothing" in PUBLISH(state(None, rankings={"keyword_search": []}))["answer"]
