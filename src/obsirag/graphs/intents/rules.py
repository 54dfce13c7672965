"""Which kind of question one is, by rule; None where only its meaning would tell."""

from __future__ import annotations

from typing import NamedTuple

from obsirag.graphs.intents.about_answer import is_about_answer
from obsirag.graphs.intents.high_risk import is_high_risk, is_request, urges
from obsirag.graphs.intents.off_topic import is_off_topic
from obsirag.graphs.intents.small_talk import small_talk
from obsirag.graphs.intents.unsafe import is_unsafe
from obsirag.graphs.state import IntentKind

__all__ = ["Found", "intent_by_rule"]


class Found(NamedTuple):
    """What a rule found.

    Args:
        kind: The kind.
        is_request: Whether something is to be done, of a question of high risk.
    """

    kind: IntentKind
    is_request: bool = False


def intent_by_rule(question: str, *, before: str = "", referred_to: str = "", domain: str = "") -> Found | None:
    """Return what a question is after; None if no rule is sure.

    Args:
        question: The question.
        before: The last question before it that was answered from the notes; empty if there is none.
        referred_to: The questions that it refers to.
        domain: What the notes are about, in words.
    """
    if is_unsafe(question):
        return Found("unsafe")
    if is_high_risk(question):
        return Found("high_risk", is_request(question))
    if before and is_about_answer(question):
        return Found("about_answer")
    if small_talk(question):
        return Found("chitchat")
    if urges(question) and is_high_risk(before):
        return Found("high_risk", is_request=True)
    if referred_to and is_high_risk(referred_to):
        return Found("high_risk", is_request=False)
    return Found("off_topic") if is_off_topic(question, domain) else None
