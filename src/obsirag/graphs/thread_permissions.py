"""Who may read the turns of a thread.

An answer carries the permissions of all text that went into it, in ``additional_kwargs["obsirag"]`` of its message. A
turn is a human message with what follows it up to the next one; who may not read the answer gets nothing of the turn:
the question may repeat what was in the answer before. So a question that refers back carries the permissions of the
turns that it refers to, whatever its answer; and one that was never answered, those of all turns before it.

When a caller continues a thread that holds turns they may not read, these turns are taken out of the thread for good.
Leaving them in would hand them over with the run's messages. What this cannot cover: older checkpoints of the thread;
what LangGraph streams before any node has run, the first snapshot and the input of the first nodes (``stream_mode``
"values", "checkpoints", "tasks" and "debug"); and the messages of a graph that has this one as a node, which are its
own to keep: it has ``removals_for``. Give each caller threads of their own; this is the second line of defence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from langchain_core.documents import Document
from langchain_core.messages import AnyMessage, RemoveMessage
from langgraph.graph.message import Messages, add_messages

from obsirag.records import (
    PUBLIC,
    Permissions,
    may_read,
    merge_permissions,
    permissions_from_json,
    permissions_to_json,
)

__all__ = [
    "MESSAGE_KEY",
    "Turn",
    "add_to_thread",
    "is_public",
    "marked",
    "permissions_of_document",
    "permissions_of_message",
    "readable_turns",
    "removals",
    "removals_for",
    "turns_of",
]

MESSAGE_KEY = "obsirag"

# A label set that no caller can meet, for a mark that cannot be read.
_NOBODY: Permissions = ((),)


class Turn(NamedTuple):
    """A human message and what follows it.

    Args:
        messages: The messages, the human one first, but for what stands before the first human message.
        permissions: Who may read all of them.
    """

    messages: tuple[AnyMessage, ...]
    permissions: Permissions


def turns_of(messages: Sequence[AnyMessage]) -> list[Turn]:
    """Return the turns of a thread, oldest first."""
    groups: list[list[AnyMessage]] = []
    for message in messages:
        if message.type == "human" or not groups:
            groups.append([])
        groups[-1].append(message)
    turns: list[Turn] = []
    before = PUBLIC
    for group in groups:
        own = _merged(map(permissions_of_message, group))
        # The last turn is the question of the present run.
        if group is not groups[-1] and not any(MESSAGE_KEY in each.additional_kwargs for each in group[1:]):
            own = _merged((own, before))
        turns.append(Turn(tuple(group), own))
        before = _merged((before, own))
    return turns


def is_public(messages: Iterable[AnyMessage]) -> bool:
    """Say whether everybody may read all turns of a thread, as is the rule; that is known sooner than its turns."""
    return not any(map(permissions_of_message, messages))


def readable_turns(turns: Iterable[Turn], labels: Collection[str]) -> tuple[list[Turn], list[Turn]]:
    """Return the turns that a caller with ``labels`` may read, and those that they may not."""
    readable: list[Turn] = []
    withheld: list[Turn] = []
    for turn in turns:
        (readable if may_read(turn.permissions, labels) else withheld).append(turn)
    return readable, withheld


def marked(message: AnyMessage, permissions: Permissions) -> AnyMessage:
    """Return the message with who may read its turn."""
    mark = {"permissions": permissions_to_json(permissions)}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, MESSAGE_KEY: mark}})


def add_to_thread(messages: Messages, more: Messages) -> Messages:
    """Add messages as LangGraph's ``add_messages`` does; what takes another's place keeps who may read that one.

    A client that sends a whole conversation back sends the texts of answers, and seldom their marks.

    Args:
        messages: The thread's messages.
        more: Those that are added, or that replace others of their ids.
    """
    before = {each.id: stated for each in _each(messages) if (stated := permissions_of_message(each))}
    added = add_messages(messages, more)
    return cast("Messages", [_kept(each, before.get(each.id, PUBLIC)) for each in _each(added)]) if before else added


def removals(turns: Iterable[Turn]) -> list[RemoveMessage]:
    """Return what takes these turns out of a thread."""
    return [RemoveMessage(id=str(message.id)) for turn in turns for message in turn.messages]


def removals_for(messages: Sequence[AnyMessage], labels: Collection[str]) -> list[RemoveMessage]:
    """Return what takes out of a graph's messages the turns that a caller may not read.

    For graphs that have the question graph as a node: it takes them out of its own messages, not out of theirs.

    Args:
        messages: The messages, the answers as the question graph gave them.
        labels: The caller's labels.
    """
    return removals(readable_turns(turns_of(messages), labels)[1])


def permissions_of_document(document: Document) -> Permissions:
    """Return who may read a chunk."""
    stated = document.metadata.get("permissions")
    return permissions_from_json(stated) if stated else PUBLIC


def permissions_of_message(message: AnyMessage) -> Permissions:
    """Return who may read a message, by its mark; nobody if that cannot be read."""
    mark = message.additional_kwargs.get(MESSAGE_KEY)
    if mark is None:
        return PUBLIC
    if not isinstance(mark, dict):
        return _NOBODY
    return permissions_from_json(stated) if (stated := mark.get("permissions")) else PUBLIC


def _each(messages: Messages) -> Iterator[AnyMessage]:
    return (cast("AnyMessage", each) for each in (messages if isinstance(messages, list) else [messages]))


def _kept(message: AnyMessage, before: Permissions) -> AnyMessage:
    own = permissions_of_message(message)
    if set(before) <= set(own):
        return message
    mark = message.additional_kwargs.get(MESSAGE_KEY)
    whole = {**(mark if isinstance(mark, dict) else {}), "permissions": permissions_to_json(_merged((own, before)))}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, MESSAGE_KEY: whole}})


def _merged(parts: Iterable[Permissions]) -> Permissions:
    stated = [each for each in parts if each]
    return merge_permissions(*stated) if len(stated) > 1 else stated[0] if stated else PUBLIC
