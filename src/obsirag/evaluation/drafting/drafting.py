"""Which questions are asked of a vault: a few of each kind, spread over its notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from obsirag.evaluation.drafting.facts import Fact, facts_of
from obsirag.evaluation.drafting.wording import ask, ask_to_compare, language_of_fact
from obsirag.evaluation.questions import GoldSpan, Question
from obsirag.records import permissions_to_json

if TYPE_CHECKING:
    from obsirag.vault import Vault

__all__ = ["draft_questions"]

_CHECK = "drafted by rule: put it into words that people would use, and check gold and key points"


def draft_questions(vault: Vault, count: int = 40) -> list[Question]:
    """Return questions whose answers stand in a vault, for people to correct.

    They are made of what can be found without a model: rows of tables, what notes forbid or deny (``negation``), first
    statements under headings (``section``), the same heading in two notes (``comparison``), notes by another of their
    names (``alias``), and restricted notes, asked with the label and without (``restricted``). Their words are those of
    the notes, which makes them easier than people's: a set that wasn't corrected measures too well.

    Args:
        vault: The vault. It is read whole, whatever labels its notes carry.
        count: Most questions.
    """
    notes = [vault.note(path) for path in vault.paths()]
    found = [facts_of(note) for note in notes]
    kinds = [
        _spread([_of_kind(facts, "table") for facts in found]),
        _spread([_of_kind(facts, "negation") for facts in found]),
        _comparisons(found),
        _spread([_of_kind(facts, "section") for facts in found]),
        _aliases(found),
        _restricted(found),
    ]
    chosen: dict[str, Question] = {}
    for row in zip_longest(*kinds):
        for question in row:
            if question is not None and len(chosen) < count:
                chosen.setdefault(question.question + "".join(question.labels), question)
    numbers: dict[str, int] = {}
    named = []
    for question in chosen.values():
        numbers[question.kind] = number = numbers.get(question.kind, 0) + 1
        named.append(replace(question, id=f"{question.kind}-{number:02}"))
    return sorted(named, key=lambda each: each.id)


def _of_kind(facts: Sequence[Fact], kind: str) -> list[Question]:
    return [_question(fact, kind) for fact in facts if fact.kind == kind and _is_public(fact) and ask(fact)]


def _question(fact: Fact, kind: str, title: str = "") -> Question:
    return Question(
        id="draft",
        question=ask(fact, title),
        gold=(_span(fact),),
        kind=kind,
        lang=language_of_fact(fact),
        key_points=(fact.key_point,),
        notes=_CHECK,
    )


def _span(fact: Fact) -> GoldSpan:
    return GoldSpan(fact.note.path, fact.start_line, fact.end_line)


def _is_public(fact: Fact) -> bool:
    return not permissions_to_json(fact.note.permissions)


def _spread(by_note: Sequence[Sequence[Question]]) -> Iterator[Question]:
    """Yield one question of each note, then another of each."""
    for row in zip_longest(*by_note):
        yield from (each for each in row if each is not None)


def _comparisons(found: Sequence[Sequence[Fact]]) -> Iterator[Question]:
    first: dict[str, Fact] = {}
    for facts in found:
        for fact in facts:
            if fact.kind != "section" or not _is_public(fact):
                continue
            other = first.setdefault(fact.subject.casefold(), fact)
            if other.note.path != fact.note.path:
                del first[fact.subject.casefold()]  # each statement is compared once
                yield Question(
                    id="draft",
                    question=ask_to_compare(other, fact),
                    gold=(_span(other), _span(fact)),
                    needs="all",
                    kind="comparison",
                    lang=language_of_fact(other),
                    key_points=(other.key_point, fact.key_point),
                    notes=_CHECK,
                )


def _aliases(found: Sequence[Sequence[Fact]]) -> Iterator[Question]:
    for facts in found:
        for fact, alias in zip(facts, facts[0].note.aliases if facts else (), strict=False):
            if fact.kind != "negation" and _is_public(fact):
                yield _question(fact, "alias", alias)


def _restricted(found: Sequence[Sequence[Fact]]) -> Iterator[Question]:
    for facts in found:
        for fact in facts[:1]:
            if not _is_public(fact) and ask(fact):
                asked = _question(fact, "restricted")
                labels = tuple(sorted({min(group) for group in fact.note.permissions if group}))
                if labels:
                    yield replace(asked, labels=labels)
                yield replace(asked, gold=(), key_points=())
