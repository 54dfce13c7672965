"""What a question's run holds: input, output, and the working state between the nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from langchain_core.documents import Document
from langchain_core.messages import AnyMessage
from langgraph.managed import RemainingSteps
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from obsirag.config import nearest_names
from obsirag.errors import ConfigError
from obsirag.graphs.state_values import (
    KNOWLEDGE,
    Aspect,
    Draft,
    EarlierTurn,
    Following,
    Intent,
    IntentKind,
    MappedTerm,
    Search,
    Strategy,
    Summary,
    Verdict,
)
from obsirag.graphs.thread_permissions import add_to_thread
from obsirag.graphs.usage import NOTHING, Usage, add_usage
from obsirag.records import Citation
from obsirag.records import labels_of as stated_labels

__all__ = [
    "KNOWLEDGE",
    "REDUCERS",
    "Aspect",
    "Draft",
    "EarlierTurn",
    "Intent",
    "IntentKind",
    "MappedTerm",
    "RagContext",
    "RagInput",
    "RagOutput",
    "RagState",
    "Search",
    "Status",
    "Strategy",
    "Summary",
    "Verdict",
    "clear_output",
    "clear_work",
    "empty_state",
    "labels_of",
    "whole_state",
]

Status = Literal["answered", "not_found", "refused", "awaiting_review"]


class RagContext(TypedDict, total=False):
    """What a run is told about its caller; it never enters the state.

    Args:
        labels: The caller's permission labels; none if absent.
    """

    labels: Sequence[str]


def merge_names(names: list[str], more: list[str]) -> list[str]:
    """Add names that are new; sorted, so that it doesn't matter which of two parallel nodes ends first."""
    return sorted({*names, *more})


def merge_drafts(drafts: dict[str, Draft], more: dict[str, Draft]) -> dict[str, Draft]:
    """Add the answers of further aspects, by the aspect's number."""
    return {**drafts, **more}


def merge_rankings(rankings: dict[str, list[Document]], more: dict[str, list[Document]]) -> dict[str, list[Document]]:
    """Add the hits of further searches, by the search's name."""
    return {**rankings, **more}


REDUCERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "aspect_drafts": merge_drafts,
    "degraded": merge_names,
    "rankings": merge_rankings,
    "usage": add_usage,
}
"""How a further value is added to a channel, the messages aside; to the others the last value is written."""


class RagInput(TypedDict):
    """What a run takes: the messages; the last one of a person is the question."""

    messages: Annotated[list[AnyMessage], add_to_thread]


class RagOutput(TypedDict):
    """What a run gives; every key is always there.

    Args:
        messages: All messages of the thread that the caller may read, the answer last.
        answer: The answer's text, with ``[n]`` marks.
        citations: Where its statements come from; empty unless ``status`` is ``answered``.
        status: How the run ended.
        degraded: Names of the parts that failed on the way, sorted.
    """

    messages: Annotated[list[AnyMessage], add_to_thread]
    answer: str
    citations: list[Citation]
    status: Status
    degraded: Annotated[list[str], merge_names]


class RagState(RagOutput):
    """The output and the working state of one question; the latter is cleared before and after each.

    Args:
        question: The last human message's text, without blanks around it.
        intent: What the question is after; ``knowledge`` where nobody looks.
        standalone: The question as it can be understood alone: for a follow-up in the chat model's words, or with the
            questions that it refers to before it.
        search_text: What to search for: that, or what it was put into for a further search.
        terms: The vault's terms for words of it, which are searched for beside it in the notes.
        earlier: The last turns before a follow-up, oldest first; none for a question that stands alone.
        conversation: Those of them that it refers to by rule, where its own words are all there is to go by.
        older: Turns before the last ones that the summary doesn't tell yet.
        summary: What was talked about before the last turns; it stays with the thread.
        aspects: The aspects of a question about several things; none of a question about one.
        rankings: Hits of this round by the name of the search that found them, best first; those for one aspect have
            its number behind that name (``vector_search/2``).
        kept: Passages of earlier rounds that tell a part of the answer.
        verdicts: What was judged of each round, the last one last.
        queries: What was searched for in the notes, round by round.
        following: What is to be done next.
        asked_web: Whether the web was searched because the notes were not enough.
        evidence: The passages to answer from, in the order of their numbers, which begin at 1.
        aspect_drafts: The answers of the aspects, by their numbers.
        draft: The answer in the making.
        attempts: How often an answer was written.
        complaint: Why the last draft was not good enough; empty if it was, or if there was none.
        usage: What the question has cost.
        remaining_steps: How many steps LangGraph's recursion limit leaves.
    """

    question: str
    intent: Intent
    standalone: str
    search_text: str
    terms: list[MappedTerm]
    earlier: list[EarlierTurn]
    conversation: list[EarlierTurn]
    older: list[EarlierTurn]
    summary: Summary | None
    aspects: list[Aspect]
    rankings: Annotated[dict[str, list[Document]], merge_rankings]
    kept: list[Document]
    verdicts: list[Verdict]
    queries: list[str]
    following: Following
    asked_web: bool
    evidence: list[Document]
    aspect_drafts: Annotated[dict[str, Draft], merge_drafts]
    draft: Draft | None
    attempts: int
    complaint: str
    usage: Annotated[Usage, add_usage]
    remaining_steps: RemainingSteps


def clear_work() -> dict[str, Any]:
    """Return the update that empties the working state."""
    return {
        "question": "",
        "intent": dict(KNOWLEDGE),
        "standalone": "",
        "search_text": "",
        "terms": [],
        "earlier": [],
        "conversation": [],
        "older": [],
        "aspects": [],
        "rankings": Overwrite({}),
        "kept": [],
        "verdicts": [],
        "queries": [],
        "following": "search",
        "asked_web": False,
        "evidence": [],
        "aspect_drafts": Overwrite({}),
        "draft": None,
        "attempts": 0,
        "complaint": "",
        "usage": Overwrite(NOTHING),
    }


def clear_output() -> dict[str, Any]:
    """Return the update that empties the last question's output, the messages aside."""
    return {"answer": "", "citations": [], "status": "not_found", "degraded": Overwrite([])}


def empty_state() -> dict[str, Any]:
    """Return every channel as it is before a question."""
    cleared = {"messages": [], "summary": None, **clear_work(), **clear_output()}
    return {name: value.value if isinstance(value, Overwrite) else value for name, value in cleared.items()}


def whole_state(state: Mapping[str, Any]) -> Any:
    """Return the state with every channel, though nothing was written to some of them yet.

    LangGraph leaves those out, or takes what their type gives when it is called, which for a typed dictionary has no
    keys.
    """
    return {**empty_state(), **{name: value for name, value in state.items() if value != {}}}


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
    if "labels" not in context and (wrong := nearest_names("labels", [str(key) for key in context])):
        raise ConfigError(f"A run's context has `{wrong[0]}`; did you mean `labels`?")
    return stated_labels(context.get("labels"))
