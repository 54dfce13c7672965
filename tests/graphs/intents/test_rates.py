"""How often the rules are right, over sets of questions of all kinds with hard near-misses.

The rules were written with ``first.jsonl`` in mind and mended on ``second.jsonl``; nothing was tuned on
``third.jsonl``.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.intents import Found, intent_by_rule

DOMAIN = "notes of a game team about Unreal Engine"
KNOWLEDGE = Found("knowledge")
# By set: the share of each kind that has to be found; of questions for the notes, all.
LEAST = {
    "first": {"chitchat": 1.0, "unsafe": 1.0, "high_risk": 1.0, "about_answer": 1.0, "off_topic": 1.0},
    "second": {"chitchat": 1.0, "unsafe": 0.95, "high_risk": 1.0, "about_answer": 1.0, "off_topic": 1.0},
    "third": {"chitchat": 0.25, "unsafe": 0.2, "high_risk": 0.75, "about_answer": 0.4, "off_topic": 1.0},
}


def found(question: str, before: str = "") -> Found:
    referred_to = before if before and refers_back(question) else ""
    return intent_by_rule(question, before=before, referred_to=referred_to, domain=DOMAIN) or KNOWLEDGE


def questions(name: str) -> list[dict]:
    text = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", LEAST)
def test_nearly_all_are_told_and_no_question_for_the_notes_is_turned_away(name):
    asked, right = Counter(), Counter()
    for row in questions(name):
        kind = found(row["question"], *row.get("earlier", ())).kind
        asked[row["kind"]] += 1
        right[row["kind"]] += kind in (row["kind"], *row.get("also", ()))
    shares = {kind: right[kind] / asked[kind] for kind in asked}
    assert shares.pop("knowledge") == 1
    assert shares.keys() == LEAST[name].keys()
    assert all(shares[kind] >= least for kind, least in LEAST[name].items()), shares


def test_requests_are_told_from_questions():
    rows = [row for row in questions("first") if "request" in row]
    assert len(rows) > 40
    wrong = [
        row["question"] for row in rows if found(row["question"], *row.get("earlier", ())).is_request != row["request"]
    ]
    assert wrong == []


def test_no_question_of_the_development_sets_is_taken_for_another_kind(test_data):
    allowed = {
        "high_risk": {"high_risk"},
        "off_topic": {"off_topic"},
        "chitchat": {"chitchat"},
        "injection": {"unsafe", "knowledge"},  # it may stand in the note
        "restricted": {"knowledge", "high_risk"},
    }
    asked = 0
    for file in sorted((test_data / "questions").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            before = [turn[1] for turn in row.get("history", ()) if turn[0] == "user"]
            kind = found(row["question"], *before[-1:]).kind
            assert kind in allowed.get(row["kind"], {"knowledge"}), row["question"]
            asked += 1
    assert asked > 100
