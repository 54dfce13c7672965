"""What a caller may read of the state, channel by channel."""

from typing import Any, get_type_hints

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Overwrite

from graph_fakes import chunk
from obsirag.graphs import RagState
from obsirag.graphs.callers import readable_state
from obsirag.graphs.readable import CHANNELS
from obsirag.graphs.state import REDUCERS, clear_output, clear_work, empty_state
from obsirag.graphs.thread_permissions import MESSAGE_KEY

LEADS = ['["leads"]']
TURN = {"message_id": "1", "question": "q", "answer": "Bluebird", "permissions": LEADS}
SECRET = chunk("Bluebird", permissions=LEADS)
HELD: dict[str, Any] = {
    "earlier": [TURN],
    "conversation": [TURN],
    "older": [TURN],
    "summary": {"text": "Bluebird", "until": "1", "permissions": LEADS},
    "rankings": {"vector_search": [SECRET]},
    "kept": [SECRET],
    "evidence": [SECRET],
    "aspect_drafts": {"1": {"text": "Bluebird", "permissions": LEADS}},
    "draft": {"text": "Bluebird", "permissions": LEADS},
}


def test_every_channel_is_filtered_or_cleared_before_each_question():
    assert HELD.keys() == CHANNELS.keys()
    by_turns = {"messages", "remaining_steps"}
    assert get_type_hints(RagState).keys() == clear_work().keys() | clear_output().keys() | CHANNELS.keys() | by_turns
    assert empty_state().keys() == get_type_hints(RagState).keys() - {"remaining_steps"}


@pytest.mark.parametrize("channel", HELD)
def test_what_a_caller_may_not_read_is_neither_seen_nor_left(channel):
    state = {**empty_state(), channel: HELD[channel]}
    seen, removal = readable_state(state, ())
    assert "Bluebird" not in str(seen)
    assert removal.keys() == {channel}
    assert isinstance(removal[channel], Overwrite) == (channel in REDUCERS)
    assert readable_state(state, ("leads",)) == (state, {})


def test_turns_that_may_not_be_read_are_taken_out():
    answer = AIMessage("Bluebird", id="a1", additional_kwargs={MESSAGE_KEY: {"permissions": LEADS}})
    state = {"messages": [HumanMessage("q1", id="h1"), answer, HumanMessage("And then?", id="h2")]}
    seen, removal = readable_state(state, ())
    assert [message.id for message in seen["messages"]] == ["h2"]
    assert [message.id for message in removal["messages"]] == ["h1", "a1"]
    assert readable_state(state, ("leads",))[1] == {}


def test_channels_that_nothing_was_written_to_are_there_and_empty():
    assert readable_state({}, ()) == (empty_state(), {})
    assert readable_state({"usage": {}}, ()) == (empty_state(), {})
