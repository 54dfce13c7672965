"""The node alone: it takes the question, and what it refers to."""

import logging

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from obsirag.graphs.earlier_turns import LONGEST_EARLIER_QUESTION
from obsirag.graphs.nodes.take_question import LONGEST_QUESTION, TakeQuestionNode
from obsirag.graphs.state import empty_state
from obsirag.graphs.thread_permissions import MESSAGE_KEY


def take(*messages):
    return TakeQuestionNode(4)({**empty_state(), "messages": list(messages)})


def human(text, number=0):
    return HumanMessage(text, id=f"h{number}")


def test_the_question_is_the_last_human_message_without_blanks():
    update = take(human("What is a mesh?"), human(" What is an actor? "), AIMessage("?"))
    assert update["question"] == update["standalone"] == update["search_text"] == "What is an actor?"
    assert take() == {}


def test_a_follow_up_goes_back_to_the_question_that_stands_alone():
    thread = [human("How do timers work?"), AIMessage("so"), human("And on mobile?"), AIMessage("no")]
    update = take(*thread, human("Why?"))
    assert update["question"] == "Why?"
    assert update["search_text"] == "How do timers work?\nAnd on mobile?\nWhy?"
    assert [turn["answer"] for turn in update["earlier"]] == ["so", "no"]


def test_it_does_not_go_back_for_ever():
    update = take(*[human("Why?")] * 20)
    assert len(update["earlier"]) == len(update["conversation"]) == 4
    assert len(update["older"]) == 12


def test_a_question_that_stands_alone_stays_as_it_is():
    assert (
        take(human("How do timers work?"), AIMessage("so"), human("What is a mesh?"))["search_text"]
        == "What is a mesh?"
    )


def test_a_question_that_refers_to_restricted_turns_is_marked_before_it_is_answered():
    mark = {MESSAGE_KEY: {"permissions": ['["leads"]']}}
    thread = [human("q1", 1), AIMessage("secret", id="a1", additional_kwargs=mark)]
    (question,) = take(*thread, human("And then?", 2))["messages"]
    assert (question.id, question.text) == ("h2", "And then?")
    assert question.additional_kwargs[MESSAGE_KEY] == {"permissions": ['["leads"]']}
    assert take(*thread, human("What is a mesh?", 2))["messages"] == []


@pytest.mark.parametrize("word", ["a" * 99, "如何", "a. ", "\n x"])
def test_what_is_taken_of_a_question_is_bounded_and_what_was_cut_is_told(word):
    update = take(human(word * LONGEST_QUESTION), AIMessage("so"), human("Why? " + word * LONGEST_QUESTION))
    assert LONGEST_QUESTION // 2 <= len(update["question"]) <= LONGEST_QUESTION
    assert all(len(turn["question"]) <= LONGEST_EARLIER_QUESTION for turn in update["earlier"])
    assert update["degraded"] == ["question"]
    assert take(human("a" * LONGEST_QUESTION))["degraded"] == []


@pytest.mark.parametrize(
    ("messages", "is_told"),
    [
        ([human("And on mobile?")], True),
        ([AIMessage("Hello."), human("And on mobile?")], True),
        ([human("What is a mesh?")], False),
        ([human("What is a mesh?"), human("And on mobile?")], False),
    ],
)
def test_a_follow_up_with_nothing_before_it_is_told_to_who_forgot_the_thread(messages, is_told, caplog):
    with caplog.at_level(logging.WARNING):
        take(*messages)
    assert ("thread_id" in caplog.text) == is_told
    assert "mobile" not in caplog.text
