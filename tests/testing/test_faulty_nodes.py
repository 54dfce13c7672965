"""Faults that are planted into versions of a node, each with the check that has to find it."""

from contextlib import suppress
from threading import Lock
from time import sleep

import pytest

from obsirag.testing import NodeConformance, run_conformance
from planted import assert_caught


def grade(options, parts):
    """Keep the first passage: the version that faults are planted into."""
    return lambda state: {"evidence": state["evidence"][:1], "following": "answer"}


def takes_no_options(options, parts):
    return grade({"limit": options["limit"]}, parts)


def is_no_node(options, parts):
    return "grade"


def gives_unknown_channels(options, parts):
    return lambda state: {"evidense": state["evidence"], "following": "answer"}


def gives_wrong_types(options, parts):
    return lambda state: {"evidence": [each.page_content for each in state["evidence"]], "following": "answer"}


def leads_nowhere(options, parts):
    return lambda state: {"evidence": state["evidence"], "following": "lunch"}


def stumbles_where_nothing_was_found(options, parts):
    return lambda state: {"evidence": [max(state["evidence"], key=lambda each: each.id)], "following": "answer"}


def needs_the_model(options, parts):
    def node(state):
        parts.chat_model.invoke("Is this enough?")
        return {"evidence": state["evidence"], "following": "answer", "usage": {"calls": 1}}

    return node


def hides_its_calls(options, parts):
    def node(state):
        with suppress(ConnectionError):
            parts.chat_model.invoke("Is this enough?")
        return {"evidence": state["evidence"], "following": "answer"}

    return node


def changes_the_state(options, parts):
    def node(state):
        for each in state["evidence"]:
            each.metadata["graded"] = True
        return {"evidence": state["evidence"], "following": "answer"}

    return node


def empties_a_list_of_the_state(options, parts):
    def node(state):
        kept = list(state["evidence"])
        state["evidence"].clear()
        return {"evidence": kept, "following": "answer"}

    return node


def remembers(options, parts):
    kept = []

    def node(state):
        kept.extend(state["evidence"])
        shown = [each.model_copy(update={"metadata": {**each.metadata, "permissions": []}}) for each in kept]
        return {"evidence": shown, "following": "answer"}

    return node


def works_in_synchronous_runs_only(options, parts):
    class Node:
        def __call__(self, state):
            return {"evidence": state["evidence"], "following": "answer"}

        async def call_async(self, state):
            raise NotImplementedError

    return Node()


def works_in_asynchronous_runs_only(options, parts):
    async def node(state):
        return {"evidence": state["evidence"], "following": "answer"}

    return node


def answers_one_at_a_time(options, parts):
    lock = Lock()

    def node(state):
        if not lock.acquire(blocking=False):
            raise RuntimeError("busy")
        sleep(0.2)
        lock.release()
        return {"evidence": state["evidence"], "following": "answer"}

    return node


FAULTS = {
    takes_no_options: "test_each_makes_a_node",
    is_no_node: "test_each_makes_a_node",
    gives_unknown_channels: "test_questions_are_answered_with_it",
    gives_wrong_types: "test_questions_are_answered_with_it",
    leads_nowhere: "test_questions_are_answered_with_it",
    stumbles_where_nothing_was_found: "test_it_takes_that_nothing_was_found",
    needs_the_model: "test_it_takes_a_chat_model_that_fails",
    hides_its_calls: "test_calls_of_the_chat_model_are_told_as_usage",
    changes_the_state: "test_the_state_it_gets_stays_as_it_is",
    empties_a_list_of_the_state: "test_the_state_it_gets_stays_as_it_is",
    remembers: "test_nothing_is_kept_from_one_caller_to_the_next",
    works_in_synchronous_runs_only: "test_questions_are_answered_with_it_asynchronously",
    works_in_asynchronous_runs_only: "test_questions_are_answered_with_it",
    answers_one_at_a_time: "test_several_questions_at_a_time_are_answered",
}


def kit(made, node="grade"):
    return type(made.__name__, (NodeConformance,), {"make": lambda _: {node: made}})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(grade)).conforms


@pytest.mark.parametrize(("fault", "check"), FAULTS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)


def test_a_version_of_no_node_is_caught():
    assert_caught(kit(grade, "grad"), "test_each_is_a_version_of_a_node_that_there_is")


def test_a_node_that_the_questions_do_not_lead_to_is_told():
    report = run_conformance(kit(lambda options, parts: lambda state: {}, "converse"))
    assert report.conforms
    assert "it is only known that it can be made" in str(report)
