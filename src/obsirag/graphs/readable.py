"""What of each channel of the state a caller may read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from langchain_core.documents import Document

from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import Permissions, may_read, permissions_from_json

__all__ = ["CHANNELS", "readable_channels"]

Labels = Collection[str]


def readable_channels(channels: Mapping[str, Any], labels: Labels) -> dict[str, Any]:
    """Return those of the channels that hold text of notes or of turns, as a caller with ``labels`` may read them.

    A value that may be read as it is comes back itself.
    """
    return {name: CHANNELS[name](value, labels) for name, value in channels.items() if name in CHANNELS}


def _documents(hits: list[Document], labels: Labels) -> list[Document]:
    return _only(hits, permissions_of_document, labels)


def _rankings(rankings: dict[str, list[Document]], labels: Labels) -> dict[str, list[Document]]:
    readable = {name: _documents(hits, labels) for name, hits in rankings.items()}
    return rankings if all(readable[name] is hits for name, hits in rankings.items()) else readable


def _drafts(drafts: dict[str, Any], labels: Labels) -> dict[str, Any]:
    readable = {name: draft for name, draft in drafts.items() if may_read(_stated(draft), labels)}
    return drafts if len(readable) == len(drafts) else readable


def _all_that_state(values: list[Any], labels: Labels) -> list[Any]:
    return _only(values, _stated, labels)


def _one_that_states(value: Any, labels: Labels) -> Any:
    return value if value is None or may_read(_stated(value), labels) else None


def _only(values: list[Any], permissions_of: Callable[[Any], Permissions], labels: Labels) -> list[Any]:
    readable = [each for each in values if may_read(permissions_of(each), labels)]
    return values if len(readable) == len(values) else readable


def _stated(value: Mapping[str, Any]) -> Permissions:
    return permissions_from_json(value["permissions"])


CHANNELS: Mapping[str, Callable[[Any, Labels], Any]] = {
    "earlier": _all_that_state,
    "conversation": _all_that_state,
    "older": _all_that_state,
    "summary": _one_that_states,
    "rankings": _rankings,
    "kept": _documents,
    "evidence": _documents,
    "aspect_drafts": _drafts,
    "draft": _one_that_states,
}
"""What a caller may read of each channel that holds text under permissions; of ``messages`` that depends on turns."""
