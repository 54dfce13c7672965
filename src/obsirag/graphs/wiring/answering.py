"""The answer, and what stands around it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from langgraph.graph import END

from obsirag.graphs.callers import Place
from obsirag.graphs.nodes.answer import AnswerNode
from obsirag.graphs.nodes.answer_aspect import AnswerAspectNode
from obsirag.graphs.nodes.compose import compose
from obsirag.graphs.nodes.publish import PublishNode
from obsirag.graphs.nodes.read_pages import ReadPagesNode
from obsirag.graphs.nodes.review import ReviewNode, request_review
from obsirag.graphs.nodes.verify_citations import VerifyCitationsNode
from obsirag.graphs.state import (
    RagState,
)
from obsirag.graphs.steps import TO_ANSWER
from obsirag.graphs.wiring.wiring import Wiring

__all__ = ["add_answer"]


def add_answer(wiring: Wiring) -> None:
    """Add what makes an answer of the passages, checks it, lets a person see them first, and gives it out."""
    parts, answers = wiring.parts, wiring.parts.answers
    answer = AnswerNode(
        parts.vault,
        parts.prompts,
        answers.max_passage_tokens,
        has_model=wiring.calls is not None,
        drops_unknown_links=answers.drop_unknown_links,
        checks_content=answers.check_content,
        messages=parts.intent.messages,
    )
    verify = VerifyCitationsNode(
        parts.vault, answers.max_regenerations, answers.max_passage_tokens, answers.check_content
    )
    wiring.add("answer", *wiring.with_model(answer.work), place=_COUNTED, gives=["draft"])
    if parts.plans:
        aspect = AnswerAspectNode(replace(answer, releases=False), verify)
        wiring.add("answer_aspect", *wiring.with_model(aspect.work), gives=["aspect_drafts"])
        wiring.add("compose", compose, gives=["draft"])
        wiring.graph.add_edge("answer_aspect", "compose")
        wiring.graph.add_edge("compose", "publish")
    wiring.add("verify_citations", verify)
    publish = PublishNode(parts.vault, wiring.fuse, parts.intent.messages, parts.holds)
    wiring.add("publish", publish, place=_END, gives=["answer", "citations", "status"])
    if parts.may_hold:
        wiring.add("request_review", request_review, gives=["status"])
        wiring.add("review", ReviewNode(parts.review.rejected))
        wiring.graph.add_edge("request_review", "review")
        wiring.route("review", lambda state: "publish" if state["draft"] else "answer", ["answer"])
    if parts.web is not None:
        read = ReadPagesNode(parts.web)
        wiring.add("read_pages", read, read.call_async, may_fail=True)
        wiring.route("read_pages", lambda _: "answer", ["answer"])
    wiring.graph.add_edge("answer", "verify_citations")
    wiring.route("verify_citations", partial(_to_another_answer, wiring), ["answer"])
    wiring.graph.add_edge("publish", END)


def _to_another_answer(wiring: Wiring, state: RagState) -> str:
    """Let the answer be written again, but not for ever, whoever complains of it."""
    may_repeat = state["attempts"] <= wiring.parts.answers.max_regenerations and state["remaining_steps"] >= TO_ANSWER
    return "answer" if state["complaint"] and may_repeat else "publish"


_END = Place(needs_question=False)
_COUNTED = Place(before=lambda state: {"attempts": state["attempts"] + 1})
