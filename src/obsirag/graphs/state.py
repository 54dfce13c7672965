"""What a question's run holds: input, output, and the working state between the nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.documents import Document
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from langgraph.types import Overwrite

from obsirag.errors import ConfigError
from obsirag.records import Citation
from obsirag.records import labels_of as stated_labels

__all__ = [
    "Draft",
    "EarlierTurn",
    "RagContext",
    "RagInput",
    "RagOutput",
    "RagState",
    "Status",
    "clear_output",
    "clear_work",
    "labels_of",
]

Status = Literal["answered", "not_found", "refused", "awaiting_review"]


class RagContext(TypedDict, total=False):
    """What a run is told about its caller; it never enters the state.

    Args:
        labels: The caller's permission labels; none if absent.
    """

    labels: Sequence[str]


class EarlierTurn(TypedDict):
    """A question of this thread and its answer, to which the present question refers.

    Args:
        question: What was asked.
        answer: What was answered; empty if nothing was.
        permissions: Who may read both, as chunk metadata holds it: label sets as JSON lists.
    """

    question: str
    answer: str
    permissions: list[str]


class Draft(TypedDict):
    """An answer that is not published yet.

    Args:
        text: The answer.
        origin: ``model``: written by the chat model, its marks still to be checked; ``quoted``: put together from the
            passages themselves; ``none``: the notes hold no answer.
        citations: The citations of a quoted answer; a model's are made when its marks are checked.
        permissions: Who may read it, as chunk metadata holds it.
        final: Whether the model is not to be asked again.
    """

    text: str
    origin: Literal["model", "quoted", "none"]
    citations: list[Citation]
    permissions: list[str]
    final: bool


def merge_names(names: list[str], more: list[str]) -> list[str]:
    """Add names that are new; sorted, so that it doesn't matter which of two parallel nodes ends first."""
    return sorted({*names, *more})


def merge_rankings(rankings: dict[str, list[Document]], more: dict[str, list[Document]]) -> dict[str, list[Document]]:
    """Add the hits of further searches, by the search's name."""
    return {**rankings, **more}


class RagInput(TypedDict):
    """What a run takes: the messages; the last one of a person is the question."""

    messages: Annotated[list[AnyMessage], add_messages]


class RagOutput(TypedDict):
    """What a run gives; every key is always there.

    Args:
        messages: All messages of the thread that the caller may read, the answer last.
        answer: The answer's text, with ``[n]`` marks.
        citations: Where its statements come from; empty unless ``status`` is ``answered``.
        status: How the run ended.
        degraded: Names of the parts that failed on the way, sorted.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    answer: str
    citations: list[Citation]
    status: Status
    degraded: Annotated[list[str], merge_names]


class RagState(RagOutput):
    """The output and the working state of one question; the latter is cleared before and after each.

    Args:
        question: The last human message's text, without blanks around it.
        search_text: What to search for: the question, for a follow-up with the questions it refers to before it.
        earlier: The turns that a follow-up refers to, oldest first.
        rankings: Hits by the name of the search that found them, best first.
        evidence: The passages to answer from, in the order of their numbers, which begin at 1.
        draft: The answer in the making.
        attempts: How often the chat model was asked.
        complaint: Why the last draft was not good enough; empty if it was, or if there was none.
        remaining_steps: How many steps LangGraph's recursion limit leaves.
    """

    question: str
    search_text: str
    earlier: list[EarlierTurn]
    rankings: Annotated[dict[str, list[Document]], merge_rankings]
    evidence: list[Document]
    draft: Draft | None
    attempts: int
    complaint: str
    remaining_steps: RemainingSteps


def clear_work() -> dict[str, Any]:
    """Return the update that empties the working state."""
    return {
        "question": "",
        "search_text": "",
        "earlier": [],
        "rankings": Overwrite({}),
        "evidence": [],
        "draft": None,
        "attempts": 0,
        "complaint": "",
    }


def clear_output() -> dict[str, Any]:
    """Return the update that empties the last question's output, the messages aside."""
    return {"answer": "", "citations": [], "status": "not_found", "degraded": Overwrite([])}


def labels_of(context: RagContext | None) -> tuple[str, ...]:
    """Return the caller's labels; a lone string is one label, not its letters.

    Raises:
        ConfigError: If the context isn't a mapping, or its labels aren't strings.
    """
    if context is None:
        return ()
    if not isinstance(context, Mapping):
        # A label may be as secret as what it guards, so that no value is told.
        raise ConfigError(f'A run\'s context must be a mapping with "labels"; this {type(context).__name__} is none.')
    return stated_labels(context.get("labels"))
