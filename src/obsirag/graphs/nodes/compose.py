"""Put the answers of a question's aspects together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from obsirag.graphs.citation_marks import Mark, find_marks, keep_marks, renumber_marks, without_marks
from obsirag.graphs.drafts import no_answer
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.link_filter import drop_unknown_links
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import Draft, RagState
from obsirag.records import Citation, merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["Composition", "Told", "compose", "composition_of"]

# What ends a structure that a model left open.
_ENDINGS = ("", "\n```", "\n~~~", "\n````", "\n~~~~", "\n$$", "`", "``", "$", "-->", "%%", "]]")
# Between the signs that open what reaches over several paragraphs, a word joiner: then they open nothing.
_OPENINGS = re.compile(r"(?<=([`~$%]))(?=\1)|(?<=<)(?=!--)")
_JOINER = "\u2060"
_BETWEEN = "\n\n"
# A mark, and code that holds none.
_PROBE, _CODE = "A probe [1]", " of `[2]`."
# What may stand before quotes; said once where it holds for all.
_REASONS = ("no_chat_model", "chat_model_failed", "unbacked_answer")


class Told(NamedTuple):
    """What is told of one aspect.

    Args:
        aspect: What is asked.
        text: Its answer, its marks numbered once over all; that there is none, if there is none.
        origin: Where the answer is from, as drafts tell it; ``none`` if there is none.
    """

    aspect: str
    text: str
    origin: str

    @property
    def under_its_question(self) -> str:
        """The answer below what it answers."""
        return f"{_heading(self.aspect)}{_BETWEEN}{self.text}"


class Composition(NamedTuple):
    """The answers of a question's aspects.

    Args:
        opening: What stands before all of them; empty if nothing.
        told: What is told of each aspect.
        citations: The citations of all, by their numbers.
        permissions: Who may read them, as chunk metadata holds it.
    """

    opening: str
    told: list[Told]
    citations: list[Citation]
    permissions: list[str]

    def to_draft(self, text: str = "") -> Draft:
        """Return the draft of all answers.

        Args:
            text: What they were put into; each below its question if empty.
        """
        own = _BETWEEN.join(
            [*([self.opening] if self.opening else []), *(each.under_its_question for each in self.told)]
        )
        # However broken the parts are, each mark leads somewhere, and each citation has one.
        kept, _ = keep_marks(text or own, [each["number"] for each in self.citations])
        marked = {number for mark in find_marks(kept) for number in mark.numbers}
        return Draft(
            text=kept,
            origin="model" if any(each.origin == "model" for each in self.told) else "quoted",
            citations=[each for each in self.citations if each["number"] in marked],
            permissions=self.permissions,
            final=True,
            read="",
            message_id="",
        )


def compose(state: RagState) -> dict[str, Any]:
    """Return the update with one draft: each aspect with its answer, the citations numbered once over all.

    Nothing is added to the answers but their questions above them, and what has no answer is said to have none; so
    there is nothing to make up, and nothing to check again.
    """
    composition = composition_of(state)
    return {"draft": no_answer(state) if composition is None else composition.to_draft()}


def composition_of(state: RagState) -> Composition | None:
    """Return the answers of the aspects; None if no aspect has one."""
    language = language_of(state["question"])
    drafts = [state["aspect_drafts"].get(str(number)) for number in range(1, len(state["aspects"]) + 1)]
    answered = [draft for draft in drafts if draft is not None and draft["origin"] != "none"]
    if not answered:
        return None
    opening = _common_opening(answered, language)
    citations: list[Citation] = []
    told: list[Told] = []
    for aspect, draft in zip(state["aspects"], drafts, strict=True):
        if draft is None or draft["origin"] == "none":
            told.append(Told(aspect["text"], notice("aspect_not_found", language), "none"))
        else:
            own = _closed(draft["text"].removeprefix(opening).lstrip("\n"))
            told.append(Told(aspect["text"], renumber_marks(own, _numbered(draft, citations)), draft["origin"]))
    permissions = merge_permissions(*(permissions_from_json(draft["permissions"]) for draft in drafts if draft))
    return Composition(opening, told, citations, permissions_to_json(permissions))


def _heading(question: str) -> str:
    """Return the question above an answer, as words: it links nothing, cites nothing and hides nothing."""
    return _closed(without_marks(drop_unknown_links(f"**{' '.join(question.split())}**", ())))


def _closed(text: str) -> str:
    """Return an answer with what is needed for the next one not to become a part of its code, maths or comment.

    Where closing that would make code of its own words too, what opens it is taken apart, and is read as it stands.
    """
    closings = [closing for closing in _ENDINGS if not closing or closing[-1] in text]
    own = find_marks(text)
    for ending in _ENDINGS:
        closed = f"{text}{ending}"
        if all(_marks_before(closed, closing) == own for closing in closings):
            return closed
    return _OPENINGS.sub(_JOINER, text)


def _marks_before(text: str, closing: str) -> list[Mark] | None:
    """Return a text's marks as they are with an answer behind it that holds ``closing``; None if it hides that one."""
    whole = f"{text}{_BETWEEN}{_PROBE}"
    marks = find_marks(f"{whole}{_CODE}{closing}")
    return marks[:-1] if marks and marks[-1].end == len(whole) else None


def _numbered(draft: Draft, citations: list[Citation]) -> dict[int, int]:
    """Add the citations of a draft to those before, and return their new numbers; what is quoted twice is one."""
    numbers = {}
    for own in draft["citations"]:
        same = next((each for each in citations if {**each, "number": 0} == {**own, "number": 0}), None)
        if same is None:
            same = Citation(**{**own, "number": len(citations) + 1})
            citations.append(same)
        numbers[own["number"]] = same["number"]
    return numbers


def _common_opening(drafts: Sequence[Draft], language: Language) -> str:
    for reason in _REASONS:
        opening = notice(reason, language)
        if all(draft["text"].startswith(opening) for draft in drafts):
            return opening
    return ""
