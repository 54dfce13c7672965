"""What is done with a question before anything is searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from langgraph.graph import START
from langgraph.types import Command

from obsirag.graphs.callers import Place, threaded
from obsirag.graphs.nodes.contextualise import ContextualiseNode
from obsirag.graphs.nodes.converse import ConverseNode
from obsirag.graphs.nodes.decline import DeclineNode
from obsirag.graphs.nodes.intent import IntentNode
from obsirag.graphs.nodes.plan import PlanNode
from obsirag.graphs.nodes.review import check_checkpointer
from obsirag.graphs.nodes.take_question import TakeQuestionNode
from obsirag.graphs.nodes.terms import TermsNode
from obsirag.graphs.state import (
    RagState,
    clear_output,
    clear_work,
    empty_state,
)
from obsirag.graphs.steps import TO_ANSWER, TO_PUBLISH_HITS
from obsirag.graphs.wiring.wiring import Route, Wiring

__all__ = ["add_question"]

_WITHOUT_NOTES = {"chitchat": "converse", "about_answer": "converse", "off_topic": "decline", "unsafe": "decline"}

Step = tuple[str, Callable[[RagState], bool]]
"""A step before the searches: its node, and whether a question is to take it."""


def add_question(wiring: Wiring) -> None:
    """Add what takes the question, and those of the steps before the searches that are configured."""
    parts = wiring.parts
    start = replace(_START, before=_start_for_review) if parts.may_hold else _START
    wiring.add("take_question", TakeQuestionNode(parts.conversation.max_turns), place=start)
    wiring.graph.add_edge(START, "take_question")
    steps = [*_intent_step(wiring), *_rewording_step(wiring), *_plan_step(wiring), *_terms_step(wiring)]
    for index, name in enumerate(["take_question", *(name for name, _ in steps)]):
        following = steps[index:]
        route: Route = partial(_to_first, wiring, following)
        targets = [*wiring.search_names, *(name for name, _ in following)]
        if name == "intent":
            route, targets = _unless_without_notes(route), [*targets, *_WITHOUT_NOTES.values()]
        wiring.route(name, route, targets)


def _to_first(wiring: Wiring, steps: Sequence[Step], state: RagState) -> str | list[Any]:
    """Return the first of the steps that is due, or the searches."""
    for name, is_due in steps:
        if state["question"] and is_due(state):
            return name
        if name == "intent" and wiring.parts.may_hold:
            return "publish"  # nobody looked into it, and it may be one that has to wait for a person
    return wiring.to_searches(state)


def _intent_step(wiring: Wiring) -> Iterator[Step]:
    """Add the look into what a question is after, and what is said where the notes aren't asked."""
    parts, calls = wiring.parts, wiring.calls
    if not parts.looks_into_intent:
        return
    asked = calls if parts.intent.ask_model else None
    intent = IntentNode(parts.intent, parts.prompts, asked, has_model=calls is not None)
    converse = ConverseNode(
        parts.intent.messages,
        parts.prompts,
        has_model=calls is not None,
        drops_unknown_links=parts.answers.drop_unknown_links,
    )
    # Where a question may have to wait for a person, one that nobody looked into must not pass.
    wiring.add("intent", *wiring.with_model(intent.work), may_fail=not parts.may_hold)
    wiring.add("converse", *wiring.with_model(converse.work), gives=["draft"])
    wiring.add("decline", DeclineNode(parts.intent), gives=["draft"])
    wiring.graph.add_edge("converse", "publish")
    wiring.graph.add_edge("decline", "publish")
    # Looked into or not, the question is to be searched for.
    yield "intent", lambda state: state["remaining_steps"] >= 1 + TO_PUBLISH_HITS


def _rewording_step(wiring: Wiring) -> Iterator[Step]:
    if wiring.parts.rewrites_follow_ups and wiring.calls is not None:
        wiring.add("contextualise", *wiring.with_model(ContextualiseNode(wiring.parts.prompts).work))
        yield "contextualise", lambda state: bool(state["earlier"]) and _may_go_on(state)


def _plan_step(wiring: Wiring) -> Iterator[Step]:
    if wiring.parts.plans:
        plan = PlanNode(wiring.parts.prompts, wiring.calls, wiring.parts.aspects.most)
        wiring.add(
            "plan", *wiring.with_model(plan.work), place=Place(after=partial(_no_more, wiring.parts.aspects.most))
        )
        yield "plan", _may_go_on


def _no_more(most: int, _: RagState, update: Any) -> Any:
    """Return the update of a plan, whoever made it, with no more aspects than the graph's bounds count."""
    if isinstance(update, Command):
        return replace(update, update=_no_more(most, _, update.update or {}))
    return {**update, "aspects": update["aspects"][:most]} if "aspects" in update else update


def _terms_step(wiring: Wiring) -> Iterator[Step]:
    parts = wiring.parts
    if parts.vocabulary is not None:
        calls = wiring.calls if parts.terms.ask_model else None
        node, _ = wiring.with_model(TermsNode(parts.vocabulary, parts.terms, parts.prompts, calls, parts.labels).work)
        # The terms come from the index's file, which may block.
        wiring.add("map_terms", node, threaded(node), may_fail=True)
        yield "map_terms", _may_go_on


def _may_go_on(state: RagState) -> bool:
    """Say whether a step more leaves enough of them to search, to fuse and to answer."""
    return state["remaining_steps"] >= 1 + 2 + TO_ANSWER


def _unless_without_notes(route: Route) -> Route:
    """Return a route that leads past the notes where they aren't asked."""
    return lambda state: _WITHOUT_NOTES.get(state["intent"]["kind"]) or route(state)


def _thread_of(state: RagState) -> Any:
    """Return the state with nothing of the last question but its messages and their summary."""
    return {**state, **empty_state(), "messages": state["messages"], "summary": state["summary"]}


def _start(_: RagState) -> dict[str, Any]:
    return {**clear_work(), **clear_output()}


def _start_for_review(state: RagState) -> dict[str, Any]:
    check_checkpointer()
    return _start(state)


_START = Place(view=_thread_of, before=_start, needs_question=False)
