"""Marks on the last answer of a conversation, at the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsirag.cli.feedback import mark_as_line
from obsirag.cli.printing import print_line
from obsirag.cli.reviewing import Command, WrongCommandError

if TYPE_CHECKING:
    from collections.abc import Collection

    from obsirag.feedback import Feedback, MarkKind
    from obsirag.graphs import AnsweredTurn

__all__ = ["mark_answer"]

_NUMBERS = re.compile(r"[0-9]{1,4}(?:[\s,，、]+[0-9]{1,4})*")


def mark_answer(feedback: Feedback, command: Command, turn: AnsweredTurn, labels: Collection[str]) -> None:
    """Keep the mark that a command puts on an answer, and print it.

    Args:
        feedback: Keeps marks.
        command: What was typed.
        turn: The question and its answer.
        labels: The labels of the person who typed it.

    Raises:
        WrongCommandError: If the command lacks something, or says too much.
        ConfigError: If it names a note that the person may not read.
    """
    match command.name:
        case "/good" | "/bad":
            kind: MarkKind = "good" if command.name == "/good" else "bad"
            mark = feedback.add(kind, turn.question, sources=_sources(command, turn), labels=labels)
        case "/better":
            if not command.words:
                raise WrongCommandError("Say which note would have been better, by its path: /better Folder/Note.md")
            mark = feedback.add("better_source", turn.question, sources=[command.words], labels=labels)
        case _:
            if not command.words:
                raise WrongCommandError("Say what is right: /correct it is 30, not 20")
            named = [*dict.fromkeys(each["source"] for each in turn.citations if each["link"])]
            mark = feedback.add("correction", turn.question, sources=named, words=command.words, labels=labels)
    print_line(mark_as_line(mark))


def _sources(command: Command, turn: AnsweredTurn) -> list[str]:
    """Return the sources of an answer that a command is about: those of its numbers, or all."""
    sources = {citation["number"]: citation["source"] for citation in turn.citations if citation["link"]}
    if not sources:
        raise WrongCommandError("The last answer cites no source. /correct says in words what is right.")
    if not command.words:
        return [*dict.fromkeys(sources.values())]
    if not _NUMBERS.fullmatch(command.words):
        raise WrongCommandError(f"Say which sources, by their numbers, such as {command.name} 1, or nothing for all.")
    numbers = [int(each) for each in re.findall(r"[0-9]+", command.words)]
    if wrong := [each for each in numbers if each not in sources]:
        raise WrongCommandError(f"The last answer has no source {wrong[0]}.")
    return [*dict.fromkeys(sources[number] for number in numbers)]
