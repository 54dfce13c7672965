"""The last answer of a conversation as a note, at the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.cli.printing import one_line, print_line, print_lines
from obsirag.cli.reviewing import WrongCommandError

if TYPE_CHECKING:
    from collections.abc import Collection

    from obsirag.config import RagConfig
    from obsirag.graphs import AnsweredTurn

__all__ = ["save_answer"]


def save_answer(settings: RagConfig, words: str, turn: AnsweredTurn, labels: Collection[str]) -> None:
    """Show the note that would become of an answer, or, where a person says yes to it, write it.

    Args:
        settings: The configuration.
        words: What stands behind the command: nothing, or ``yes``.
        turn: The question and its answer.
        labels: The labels of the person who typed it.

    Raises:
        WrongCommandError: If something else stands there.
        ObsiragError: If no note can become of it.
    """
    from obsirag.components import draft_answer_note, save_answer_note

    if words not in ("", "yes"):
        raise WrongCommandError("/save shows the note that would become of the last answer, and /save yes writes it.")
    note = draft_answer_note(
        settings,
        question=turn.question,
        answer=turn.answer,
        citations=turn.citations,
        permissions=turn.permissions,
        labels=labels,
    )
    if words == "yes":
        save_answer_note(settings, note)
        print_line(f"Written and indexed: {one_line(note.path)}")
        return
    readers = f"those who have one of: {', '.join(note.labels)}" if note.labels else "everybody"
    print_lines([
        (one_line(note.path), "bold"),
        (one_line(f"For {readers}."), ""),
        *((f"    {line}", "") for line in note.text.splitlines()),
        ("/save yes writes it.", "dim"),
    ])  # fmt: skip
