"""A state in counts and kinds: nothing in it is anybody's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from langchain_core.messages import BaseMessage
from langgraph.types import Overwrite
from typing_extensions import is_typeddict

__all__ = ["summary_of"]


def summary_of(channels: Mapping[str, Any]) -> dict[str, Any]:
    """Return what can be told of a state, or of an update, to anybody who may read the log.

    Lists are told by their lengths, mappings by those of their lists, text by its characters; a word only where it is
    one of a few that its type allows. Channels that the graph's state doesn't know are left out, as is what is empty:
    their names may be anybody's words.
    """
    return _fields(channels, _hints_of_state())


@cache
def _hints_of_state() -> dict[str, Any]:
    from obsirag.graphs.state import RagState

    return get_type_hints(RagState)


@cache
def _hints_of(form: Any) -> dict[str, Any]:
    return get_type_hints(form)


def _summary(value: Any, hint: Any = None) -> Any:
    hint = _plain(hint)
    if isinstance(value, Overwrite):
        return _summary(value.value, hint)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return round(value, 4) if isfinite(value) else None
    if isinstance(value, str):
        return value if get_origin(hint) is Literal and value in get_args(hint) else len(value)
    if isinstance(value, Mapping):
        if is_typeddict(hint):
            return _fields(value, _hints_of(hint))
        # Even its keys may be words of a note.
        lists = [len(each) for each in value.values() if isinstance(each, (list, tuple))]
        return lists if len(lists) == len(value) else len(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, BaseMessage) for each in value):
        return dict(Counter(type(each).__name__ for each in value))
    return len(value) if isinstance(value, Collection) else type(value).__name__


def _fields(values: Mapping[str, Any], hints: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: _summary(values[name], hint) for name, hint in hints.items() if name in values}
    return {name: value for name, value in told.items() if value not in (None, 0, [], {})}


def _plain(hint: Any) -> Any:
    """Return a type without what is written about it, and without None."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        others = [each for each in get_args(hint) if each is not NoneType]
        return _plain(others[0]) if len(others) == 1 else None
    return hint
