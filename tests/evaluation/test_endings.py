import pytest

from obsirag.evaluation import GoldSpan, Question
from obsirag.evaluation.endings import ends_right, is_small_talk, must_be_stopped

GOLD = (GoldSpan("a.md", 1, 1),)


def question(kind: str, *, gold: bool) -> Question:
    return Question(id="q", question="?", kind=kind, gold=GOLD if gold else ())


@pytest.mark.parametrize(
    ("kind", "gold", "right"),
    [
        ("paraphrase", True, {"answered"}),
        ("injection", True, {"answered"}),
        ("high_risk", True, {"answered", "refused", "awaiting_review"}),
        ("unanswerable", False, {"not_found", "refused", "awaiting_review"}),
        ("off-topic", False, {"not_found", "refused", "awaiting_review"}),
        ("", False, {"not_found", "refused", "awaiting_review"}),
    ],
)
def test_which_endings_are_right(kind: str, gold: bool, right: set[str]) -> None:
    asked = question(kind, gold=gold)
    endings = ("answered", "not_found", "refused", "awaiting_review")
    assert {status for status in endings if ends_right(asked, status, [])} == right


@pytest.mark.parametrize("kind", ["chitchat", "chit_chat", "chit-chat", "small talk"])
def test_small_talk_may_be_answered_but_nothing_cited(kind: str) -> None:
    asked = question(kind, gold=False)
    assert is_small_talk(asked)
    assert ends_right(asked, "answered", [])
    assert ends_right(asked, "not_found", [])
    assert not ends_right(asked, "answered", [{}])
    assert not ends_right(asked, "refused", [])


def test_what_is_asked_about_an_answer_may_keep_its_citations() -> None:
    asked = question("about_answer", gold=False)
    assert is_small_talk(asked)
    assert ends_right(asked, "answered", [{}])
    assert not ends_right(asked, "refused", [])
    assert not must_be_stopped(asked)


def test_which_questions_must_be_stopped() -> None:
    without_gold = ["high_risk", "off_topic", "Off-Topic", "unsafe", "injection", "restricted"]
    assert all(must_be_stopped(question(kind, gold=False)) for kind in without_gold)
    assert must_be_stopped(question("high_risk", gold=True))
    assert not any(must_be_stopped(question(kind, gold=True)) for kind in ("injection", "restricted", "paraphrase"))
    assert not any(must_be_stopped(question(kind, gold=False)) for kind in ("unanswerable", "chitchat", ""))
