"""What obsirag needs of versions of the question graph's nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.node_kit import QUESTIONS, NodeKit

__all__ = ["NodeConformance"]

_STATUSES = ("answered", "not_found", "refused", "awaiting_review")
_SECRET = "4711"  # noqa: S105 - no password but a text


def _are_at_work(kit: NodeKit) -> bool:
    for question in QUESTIONS:
        kit.ask(question)
    return kit.visited >= set(kit.versions)


AT_WORK = Capability(
    "a place where the checks' questions lead",
    "of a node that they don't lead to it is only known that it can be made: try it in a graph of your own",
    _are_at_work,
)


class NodeConformance(NodeKit):
    """Checks of versions of nodes; a subclass has the method :meth:`make`.

    Each version takes its node's place in a graph with scripted parts, which is asked questions: what a node decides is
    its own affair, and is measured with ``obsirag eval``.
    """

    @check(harm="the version cannot be chosen")
    def test_each_is_a_version_of_a_node_that_there_is(self) -> None:
        known = self.known_nodes()
        for name, make in self.versions.items():
            expect(name in known and callable(make), f"functions by names of nodes: {sorted(known)}", name)

    @check(harm="the graph cannot be built")
    def test_each_makes_a_node(self) -> None:
        for name, make in self.versions.items():
            made = make(dict(self.options), self.parts())
            expect(
                callable(made) or hasattr(made, "invoke"), f"a function or a Runnable for {name}", type(made).__name__
            )

    @check(harm="questions fail, or are answered as if the node were not there")
    def test_questions_are_answered_with_it(self) -> None:
        for question in QUESTIONS:
            self._check_end(self.ask(question))

    @check(harm="servers and asynchronous programs get no answers")
    def test_questions_are_answered_with_it_asynchronously(self) -> None:
        for question in QUESTIONS:
            self._check_end(self.ask(question, is_async=True))

    @check(harm="questions about which the notes say nothing fail")
    def test_it_takes_that_nothing_was_found(self) -> None:
        self._check_end(self.ask(QUESTIONS[0], finds=False))

    @check(harm="where the chat model fails, there is no answer instead of a plainer one")
    def test_it_takes_a_chat_model_that_fails(self) -> None:
        came = self.ask(QUESTIONS[0], fails=True)
        expect(came["status"] in _STATUSES, f"an end with one of {_STATUSES}", came["status"])

    @check(harm="what other nodes work with changes behind their backs, and traces show what never was")
    def test_the_state_it_gets_stays_as_it_is(self) -> None:
        for question in QUESTIONS:
            self.ask(question)
        expect(not self.changed, "the state as it was", f"other values in {sorted(self.changed)}")

    @check(harm="people read what they have no right to")
    def test_nothing_is_kept_from_one_caller_to_the_next(self) -> None:
        graph = self.graph()
        self.ask(QUESTIONS[0], graph=graph, labels=["leads"])
        graph.parts.chat_model.prompts.clear()
        came = [str(self.ask(QUESTIONS[0], graph=graph, labels=[])), *graph.parts.chat_model.asked()]
        leaks = [each for each in came if _SECRET in each]
        expect(not leaks, "nothing of what the caller before was allowed to read", leaks)

    @check(harm="questions of several people disturb each other")
    def test_several_questions_at_a_time_are_answered(self) -> None:
        graph = self.graph()
        for came in self.side_by_side([lambda: self.ask(QUESTIONS[0], graph=graph)] * 3):
            self._check_end(came)

    @check(harm="questions cost more than their budget allows, and nobody sees it")
    def test_calls_of_the_chat_model_are_told_as_usage(self) -> None:
        for question in QUESTIONS:
            graph = self.graph()
            told = self.ask(question, graph=graph)["messages"][-1].additional_kwargs["obsirag"]["chat_model_calls"]
            called = len(graph.parts.chat_model.prompts)
            expect(told >= called, f"`usage` with all {called} calls of the chat model", f"{told} calls")

    @check(of=AT_WORK, harm="questions fail, or are answered as if the node were not there")
    def test_the_same_question_is_answered_again(self) -> None:
        graph = self.graph()
        statuses = {self.ask(QUESTIONS[0], graph=graph)["status"] for _ in range(2)}
        expect(len(statuses) == 1, "the same end twice", statuses)

    def _check_end(self, came: Mapping[str, Any]) -> None:
        expect(came["status"] in _STATUSES, f"an end with one of {_STATUSES}", came["status"])
        expect(came["answer"].strip(), "an answer, or words that say that there is none", repr(came["answer"]))
        failed = sorted(set(self.versions) & set(came["degraded"]))
        expect(not failed, "a node that does its work", f"`degraded` names {failed}")
