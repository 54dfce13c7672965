"""Summaries hold counts and kinds."""

import json
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from graph_fakes import chunk
from obsirag.graphs.state import RagState, clear_work, empty_state
from obsirag.graphs.tracing import summary_of

WORD = "Bluebird"
CHANNELS = sorted(get_type_hints(RagState))
ANYTHING = st.recursive(
    st.sampled_from([WORD, WORD * 3, {WORD: 1}, [WORD], {WORD}, (WORD,), b"Bluebird", None, 1.5, True])
    | st.builds(lambda: chunk(WORD))
    | st.builds(lambda: HumanMessage(WORD)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just(WORD), inner, max_size=2),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*CHANNELS, WORD]), ANYTHING))
def test_whatever_a_state_holds_no_word_of_it_is_told(state: dict[str, Any]) -> None:
    assert WORD not in json.dumps(summary_of(state))


@pytest.mark.parametrize("field", ["kind", "by"])
def test_a_word_is_told_only_where_its_type_allows_no_other(field):
    intent = {"kind": "knowledge", "confidence": 0.5, "by": "rule"}
    assert summary_of({"intent": intent})["intent"] == intent
    assert summary_of({"intent": {**intent, field: WORD}})["intent"][field] == len(WORD)


def test_lists_are_counted_and_messages_by_their_kind():
    state = {
        "messages": [HumanMessage("a"), AIMessage("b"), HumanMessage("c")],
        "rankings": {"vector_search/2": [chunk("a"), chunk("b")], "keyword_search": []},
        "evidence": [chunk("a")],
        "question": "four",
        "status": "not_found",
    }
    assert summary_of(state) == {
        "messages": {"HumanMessage": 2, "AIMessage": 1},
        "rankings": [2, 0],
        "evidence": 1,
        "question": 4,
        "status": "not_found",
    }


def test_what_is_empty_is_left_out():
    assert set(summary_of({**empty_state(), **clear_work()})) == {"status", "intent", "following"}
