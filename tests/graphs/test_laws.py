"""The laws of the question graph, over random notes, callers, conversations and chat models.

Nobody gets text that they may not read; every question comes to an end within its bounds; nothing of one is seen by
the next.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from law_chat import OWN_WORD
from law_runs import ALONE, Conversation, Law, Seen, Turn, conversations
from law_worlds import CONFIGS, open_presets, unreadable_in, words_in
from obsirag.graphs.citation_marks import find_marks
from obsirag.graphs.state import clear_work, empty_state

EXAMPLES = max(settings.default.max_examples // 10, 10)
OUTPUT = ("answer", "citations", "status", "degraded")


@pytest.fixture(scope="module")
def presets(tmp_path_factory):
    return open_presets(tmp_path_factory.mktemp("laws"))


@pytest.mark.parametrize("preset", CONFIGS)
@settings(max_examples=EXAMPLES)
@given(conversation=conversations())
def test_the_laws_hold_whatever_is_asked_by_whom(presets, preset, conversation):
    law = Law(presets[preset], conversation)
    for turn in conversation.turns:
        calls = []
        for seen in law.play(turn):
            assert_readable(seen, conversation)
            calls.append(seen)
        assert_ended(calls[-1])
        assert_within_bounds(law, turn, calls)
        assert_emptied(calls[-1])
    assert not words_in(law.log, conversation.secrets)
    asked_web = "\n".join(law.asked_web)
    assert not words_in(asked_web, conversation.secrets)
    assert OWN_WORD not in asked_web
    assert_same_as_alone(law, Law(presets[preset], conversation), Turn(ALONE, labels=conversation.turns[-1].labels))


def assert_readable(seen: Seen, conversation: Conversation) -> None:
    """Assert that a caller, and whatever worked for them, got nothing that they may not read."""
    for place, text in seen.texts.items():
        assert not unreadable_in(text, conversation.secrets, seen.labels), place


def assert_ended(seen: Seen) -> None:
    """Assert that a question has an answer, or an honest word instead of one, with all that belongs to it."""
    result = seen.result
    assert {"messages", *OUTPUT} <= result.keys()
    assert result["status"] in ("answered", "not_found", "refused")
    assert result["messages"][-1].text == result["answer"] != ""
    cited = [each["number"] for each in result["citations"]]
    assert {number for mark in find_marks(result["answer"]) for number in mark.numbers} == set(cited)
    assert len(cited) == len(set(cited))
    assert not cited or result["status"] == "answered"


def assert_within_bounds(law: Law, turn: Turn, calls: Sequence[Seen]) -> None:
    """Assert that a question took no more than its graph says beforehand."""
    if turn.limit is None and len({seen.labels for seen in calls}) == 1:
        assert "recursion_limit" not in calls[-1].result["degraded"]
    if turn.dies:
        return  # what a process was doing as it died is done again
    assert len({step for seen in calls for step in seen.steps}) <= law.bounds.steps
    assert sum(seen.model_calls for seen in calls) <= law.bounds.chat_model_calls
    assert sum(seen.searches for seen in calls) <= law.bounds.searches


def assert_emptied(seen: Seen) -> None:
    """Assert that nothing is left of a question but its output, its messages and what sums them up."""
    empty = empty_state()
    left = {name: seen.left.get(name, empty[name]) for name in clear_work()}
    # LangGraph takes what the type of a channel gives when it is called for one that nothing was written to.
    assert {name: value for name, value in left.items() if value not in (empty[name], {})} == {}


def assert_same_as_alone(law: Law, fresh: Law, turn: Turn) -> None:
    """Assert that a question that stands alone is answered after a conversation as it is without one."""
    after, alone = ([*each.play(turn)][-1].result for each in (law, fresh))
    assert {name: after[name] for name in OUTPUT} == {name: alone[name] for name in OUTPUT}
