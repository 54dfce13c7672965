"""The node alone: it takes the question, what it refers to, and clears the rest."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from obsirag.errors import ConfigError
from obsirag.graphs.nodes.take_question import TakeQuestionNode
from obsirag.graphs.state import clear_work
from obsirag.graphs.thread_permissions import MESSAGE_KEY

WORK = set(clear_work())
OUTPUT = {"messages", "answer", "citations", "status", "degraded"}


def take(*messages, labels=()):
    return TakeQuestionNode(4)({"messages": list(messages)}, Runtime(context={"labels": labels}))


def human(text, number=0):
    return HumanMessage(text, id=f"h{number}")


def test_writes_every_key_of_the_state():
    update = take(human(" What is a? "))
    assert update.keys() == WORK | OUTPUT
    assert update["question"] == update["standalone"] == update["search_text"] == "What is a?"
    assert update["degraded"] == Overwrite([])
    assert update["rankings"] == Overwrite({})
    assert update["draft"] is None


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


def test_turns_that_may_not_be_read_are_taken_out():
    mark = {MESSAGE_KEY: {"permissions": ['["leads"]']}}
    thread = [human("q1", 1), AIMessage("secret", id="a1", additional_kwargs=mark), human("And then?", 2)]
    assert [message.id for message in take(*thread, labels=["leads"])["messages"]] == ["h2"]
    update = take(*thread)
    assert [message.id for message in update["messages"]] == ["h1", "a1"]
    assert update["search_text"] == "And then?"
    assert update["earlier"] == []


def test_a_lone_label_may_be_written_as_a_string():
    mark = {MESSAGE_KEY: {"permissions": ['["leads"]']}}
    thread = [human("q1", 1), AIMessage("secret", id="a1", additional_kwargs=mark), human("And then?", 2)]
    assert [message.id for message in take(*thread, labels="leads")["messages"]] == ["h2"]


def test_a_question_that_refers_to_restricted_turns_is_marked_before_it_is_answered():
    mark = {MESSAGE_KEY: {"permissions": ['["leads"]']}}
    thread = [human("q1", 1), AIMessage("secret", id="a1", additional_kwargs=mark)]
    (question,) = take(*thread, human("And then?", 2), labels=["leads"])["messages"]
    assert (question.id, question.text) == ("h2", "And then?")
    assert question.additional_kwargs[MESSAGE_KEY] == {"permissions": ['["leads"]']}
    assert take(*thread, human("What is a mesh?", 2), labels=["leads"])["messages"] == []


@pytest.mark.parametrize("context", ["leads", ["leads"], {"labels": 7}, {"labels": [7]}, {"labels": {"leads": 1}}])
def test_a_context_of_another_kind_is_told_without_its_values(context):
    with pytest.raises(ConfigError) as error:
        TakeQuestionNode(4)({"messages": [human("q")]}, Runtime(context=context))
    assert "leads" not in str(error.value)
    assert "7" not in str(error.value)
