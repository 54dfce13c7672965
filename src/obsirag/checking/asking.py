"""A chat model asked about a few sentences at a time, and what came of it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Annotated, Any, NamedTuple

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, BeforeValidator, Field, model_validator

from obsirag.graphs.language import Language
from obsirag.graphs.model_calls import ModelCalls, Reply, Request
from obsirag.graphs.prompt_marks import harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.structured import ask_for
from obsirag.graphs.usage import Usage

__all__ = ["Answer", "Suspicion", "ask_about", "prompt_texts"]

MOST = 20
"""Suspicions that are read of an answer."""
# Told to the server, and not held against what comes: a small model that has begun to list goes on for ever.
_FEW: dict[str, Any] = {"maxItems": 10}
_BOUNDED: dict[str, Any] = {"maxLength": 24}


class Suspicion(BaseModel):
    """A word that a model takes for misspelt."""

    number: int = Field(description="The number of the sentence.")
    word: str = Field(description="The word as it stands there.", json_schema_extra=_BOUNDED)
    suggestion: str = Field(description="The word as it should be written.", json_schema_extra=_BOUNDED)


def _usable(given: Any) -> Any:
    """Return a list without the items that are no suspicions: one wrong one is no reason to lose the others."""
    if not isinstance(given, list):
        return given
    return [each for each in given if isinstance(each, dict) and _can_be_read(each)]


def _can_be_read(given: dict[str, Any]) -> bool:
    number = given.get("number")
    is_number = (isinstance(number, int) and not isinstance(number, bool)) or (
        isinstance(number, str) and len(number) < 9 and number.isdecimal()
    )
    return is_number and isinstance(given.get("word"), str) and isinstance(given.get("suggestion"), str)


class _Suspicions(BaseModel):
    """All suspicions of some sentences."""

    typos: Annotated[list[Suspicion], BeforeValidator(_usable)] = Field(json_schema_extra=_FEW)

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, given: Any) -> Any:
        return {"typos": given} if isinstance(given, list) else given


class Answer(NamedTuple):
    """What came of asking.

    Args:
        suspicions: What the model said; None if nothing usable.
        failure: What the last call failed with; None if it came, in whatever form.
        usage: What it cost.
    """

    suspicions: list[Suspicion] | None
    failure: Exception | None
    usage: Usage


def ask_about(
    sentences: Sequence[str], language: Language, calls: ModelCalls, prompts: Prompts, spent: Usage
) -> Answer:
    """Return what a chat model says of sentences.

    Args:
        sentences: The sentences, the first with number 1.
        language: The language to ask in.
        calls: Calls the model, within its budget.
        prompts: Says what to tell of an answer that isn't of the form.
        spent: What was spent before.
    """
    numbered = "\n".join(f"[{number}] {harmless(each)}" for number, each in enumerate(sentences, 1))
    system, asking = prompt_texts(language)
    messages: list[BaseMessage] = [
        SystemMessage(system),
        HumanMessage(Template(asking).substitute(sentences=numbered)),
    ]
    failure: Exception | None = None

    def work() -> Generator[Request, Reply, dict[str, Any]]:
        nonlocal failure
        steps = ask_for(_Suspicions, messages, calls, complaint=prompts.wrong_form(language))
        reply: Any = None  # which begins it
        while True:
            try:
                request = steps.send(reply)
            except StopIteration as done:
                return {"said": done.value}
            reply = yield request
            failure = reply.error if reply.failed else None

    update = calls.run(work(), spent)
    said: _Suspicions | None = update["said"]
    return Answer(None if said is None else said.typos[:MOST], failure, update["usage"])


@cache
def prompt_texts(language: Language) -> tuple[str, str]:
    """Return the instructions in a language, and the request, with ``$sentences`` to fill in."""
    folder = files("obsirag.checking.prompts")
    system, asking = (folder.joinpath(f"{name}.{language}.md").read_text("utf-8") for name in ("system", "sentences"))
    return system.strip(), asking.strip()
