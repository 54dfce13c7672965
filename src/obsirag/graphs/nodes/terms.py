"""Find what the words of a question are called in the vault."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from obsirag.config import TermOptions
from obsirag.glossary import Term
from obsirag.graphs.callers import CallerLabels, caller_labels
from obsirag.graphs.failures import go_without
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import ModelCalls, Reply, Request, Work
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.state import MappedTerm, RagState
from obsirag.graphs.structured import ask_for
from obsirag.graphs.vocabulary import Found, Vocabulary, same_name
from obsirag.records import permissions_to_json

__all__ = ["ChosenTerms", "TermsNode", "VocabularyOf"]

VocabularyOf = Callable[[Sequence[str]], Vocabulary]
"""Returns the terms that a caller with these labels may read."""

By = Literal["name", "glossary", "alias", "broader", "narrower", "model"]

_MOST_KNOWN = 50
"""Words of a question that are looked at."""


class ChosenTerms(BaseModel):
    """The terms that a question is about."""

    terms: list[str] = Field(max_length=100, description="Terms of the list, as they stand there; empty if none fits.")


@dataclass(frozen=True, slots=True)
class TermsNode:
    """Find everyday words of the question in the glossary, and write down the terms that are searched for beside them.

    Args:
        vocabulary_of: Gives the terms that the caller may read.
        options: How many terms are added, and which.
        prompts: The prompts.
        calls: Asks the chat model where no word is known; None to leave it at that.
        labels: Gives the labels of a run's caller.
    """

    vocabulary_of: VocabularyOf
    options: TermOptions
    prompts: Prompts
    calls: ModelCalls | None = None
    labels: CallerLabels = caller_labels

    def work(self, state: RagState) -> Work:
        """Return the update with the terms; where they cannot be read, ``degraded`` names ``terms``."""
        try:
            vocabulary = self.vocabulary_of(self.labels())
        except Exception as error:  # noqa: BLE001 - the question can be searched for as it is
            return go_without("terms", error)
        question = state["standalone"]
        found = vocabulary.find(question)[:_MOST_KNOWN]
        if found or self.calls is None or not vocabulary.terms:
            return {"terms": self._of_words(state, found, vocabulary)}
        chosen = yield from self._chosen(question, vocabulary.nearest(question, self.options.offered))
        if chosen is None:
            return {"degraded": ["terms"]}
        return {"terms": [_mapped("", term, "model") for term in chosen[: self.options.max_added]]}

    def _of_words(self, state: RagState, found: Sequence[Found], vocabulary: Vocabulary) -> list[MappedTerm]:
        question = state["standalone"]
        said = "\n".join(f"{turn['question']}\n{turn['answer']}" for turn in state["earlier"])
        known = {term.area for each in [*found, *vocabulary.find(said)] if len(each.terms) == 1 for term in each.terms}
        mapped: list[MappedTerm] = []
        for each in found:
            for term in vocabulary.sense(each, question, said, known - {""}):
                is_itself = same_name(each.word) == same_name(term.name)
                mapped.append(_mapped(each.word, term, "name" if is_itself else _origin(term)))
        mapped += [more for each in found for more in self._around(each, mapped)]
        return self._bounded(mapped)

    def _around(self, found: Found, mapped: Sequence[MappedTerm]) -> list[MappedTerm]:
        """Return the terms above and below those that a word stands for, as far as they are wanted."""
        meant = {each["term"] for each in mapped if each["word"] == found.word}
        around: list[MappedTerm] = []
        for term in found.terms:
            if term.name in meant:
                above = term.broader if self.options.broader else ()
                below = term.narrower if self.options.narrower else ()
                around += [{**_mapped(found.word, term, "broader"), "term": name} for name in above]
                around += [{**_mapped(found.word, term, "narrower"), "term": name} for name in below]
        return around

    def _bounded(self, mapped: Sequence[MappedTerm]) -> list[MappedTerm]:
        """Return all that the question names itself, and so many of the others, each term once."""
        kept: dict[str, MappedTerm] = {}
        added = 0
        for each in sorted(mapped, key=lambda each: each["by"] != "name"):
            name = same_name(each["term"])
            if name not in kept and (each["by"] == "name" or added < self.options.max_added):
                kept[name] = each
                added += each["by"] != "name"
        return [*kept.values()]

    def _chosen(self, question: str, offered: Sequence[Term]) -> Generator[Request, Reply, list[Term] | None]:
        """Return the terms that the chat model chooses; None if it gives no choice."""
        assert self.calls is not None  # noqa: S101 - asked before
        language = language_of(question)
        names = {harmless(" ".join(term.name.split())): term for term in offered}
        listed = "\n".join(f"- {name}" for name in names)
        given = yield from ask_for(
            ChosenTerms,
            [
                SystemMessage(self.prompts.fill("terms_system", language)),
                HumanMessage(self.prompts.fill("terms", language, terms=listed, question=harmless(question))),
            ],
            self.calls,
            complaint=self.prompts.wrong_form(language),
        )
        if given is None:
            return None
        known = {same_name(name): term for name, term in names.items()}
        chosen = [known[same_name(name)] for name in given.terms if same_name(name) in known]
        return [*{term.name: term for term in chosen}.values()]


def _mapped(word: str, term: Term, by: By) -> MappedTerm:
    permissions = permissions_to_json(term.permissions)
    return MappedTerm(word=word, term=term.name, area=term.area, by=by, permissions=permissions)


def _origin(term: Term) -> By:
    return "alias" if term.is_alias else "glossary"
