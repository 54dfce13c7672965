import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage

from obsirag.graphs.thread_permissions import (
    MESSAGE_KEY,
    add_to_thread,
    is_public,
    permissions_of_message,
    readable_turns,
    turns_of,
)
from step_counts import steps_of


def answer(*permissions):
    return AIMessage("a", additional_kwargs={MESSAGE_KEY: {"permissions": list(permissions)}})


def test_a_turn_is_a_question_with_its_answers():
    messages = [SystemMessage("s"), HumanMessage("q1"), AIMessage("a1"), AIMessage("a2"), HumanMessage("q2")]
    assert [[message.text for message in turn.messages] for turn in turns_of(messages)] == [
        ["s"],
        ["q1", "a1", "a2"],
        ["q2"],
    ]


def test_a_turn_is_for_those_who_may_read_its_answer():
    turns = turns_of([HumanMessage("q1"), answer('["leads"]'), HumanMessage("q2"), answer()])
    assert [len(each) for each in readable_turns(turns, [])] == [1, 1]
    assert [len(each) for each in readable_turns(turns, ["team"])] == [1, 1]
    assert [len(each) for each in readable_turns(turns, ["leads"])] == [2, 0]


def test_all_label_sets_are_to_be_met():
    turns = turns_of([HumanMessage("q"), answer('["leads", "hr"]', '["team"]')])
    assert readable_turns(turns, ["leads"])[0] == []
    assert readable_turns(turns, ["hr", "team"])[0] == turns


def test_a_mark_that_cannot_be_read_is_for_nobody():
    turns = turns_of([HumanMessage("q"), AIMessage("a", additional_kwargs={MESSAGE_KEY: "?"})])
    assert readable_turns(turns, ["leads", ""])[0] == []


def test_a_question_that_was_never_answered_is_for_those_who_may_read_all_before_it():
    turns = turns_of([HumanMessage("q1"), answer('["leads"]'), HumanMessage("q2"), HumanMessage("q3")])
    readable, withheld = readable_turns(turns, [])
    assert [turn.messages[0].text for turn in readable] == ["q3"]
    assert [turn.messages[0].text for turn in withheld] == ["q1", "q2"]
    assert readable_turns(turns, ["leads"])[1] == []


@pytest.mark.parametrize("labels", [[], ['["leads"]']])
def test_a_thread_is_public_if_everybody_may_read_all_its_turns(labels):
    messages = [HumanMessage("q1"), answer(*labels), HumanMessage("q2"), HumanMessage("q3")]
    assert is_public(messages) == (readable_turns(turns_of(messages), [])[1] == [])


@pytest.mark.parametrize("is_answered", [True, False])
def test_the_work_grows_with_the_turns(is_answered):
    def steps(count):
        answers = [answer(f'["{number}"]') for number in range(5)] if is_answered else []
        messages = [message for _ in range(count) for message in (HumanMessage("q"), *answers)]
        return steps_of(lambda: turns_of(messages))

    assert steps(400) < 2.1 * steps(200)


@pytest.mark.parametrize(
    "mark", [{}, {MESSAGE_KEY: {"status": "answered"}}, {MESSAGE_KEY: {"permissions": ['["team"]']}}]
)
def test_what_takes_the_place_of_a_message_is_for_nobody_else(mark):
    before = [HumanMessage("q", id="1"), answer('["leads"]').model_copy(update={"id": "2"})]
    _, after = add_to_thread(before, [AIMessage("changed", id="2", additional_kwargs=mark)])
    assert after.text == "changed"
    assert {("leads",)} <= {*permissions_of_message(after)} <= {("leads",), ("team",)}
    assert after.additional_kwargs[MESSAGE_KEY].get("status") == mark.get(MESSAGE_KEY, {}).get("status")


def test_messages_are_added_as_ever():
    before = [HumanMessage("q", id="1"), answer('["leads"]').model_copy(update={"id": "2"})]
    added = add_to_thread(before, [("user", "next")])
    assert added[:2] == before
    assert permissions_of_message(added[2]) == ()
    assert add_to_thread(before, [RemoveMessage(id="2")]) == before[:1]
    assert add_to_thread([], [("user", "q")])[0].text == "q"
