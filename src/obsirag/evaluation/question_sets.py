"""Several question files as one set, and how it fits a vault."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from obsirag.errors import EvaluationError
from obsirag.evaluation.questions import Question, load_questions

__all__ = ["find_missing_gold", "load_question_sets"]


def load_question_sets(paths: Iterable[str | Path]) -> list[Question]:
    """Read question files as one set, in which every id comes once.

    Args:
        paths: The files; see ``load_questions``.

    Raises:
        EvaluationError: If a file isn't a question file, an id is in two of them, or there is no question in any.
    """
    questions: list[Question] = []
    file_of: dict[str, Path] = {}
    for path in map(Path, paths):
        for question in load_questions(path):
            if question.id in file_of:
                raise EvaluationError(
                    f"{path}: the id {question.id!r} is taken by {file_of[question.id]}; give each question its own"
                )
            file_of[question.id] = path
            questions.append(question)
    if not questions:
        raise EvaluationError("there is no question in the files; write one JSON object a line")
    return questions


def find_missing_gold(questions: Sequence[Question], notes: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the gold paths of each question that no note has, by the question's id.

    Such a gold span, of a note that was renamed or of another vault, can never be found.

    Args:
        questions: The questions.
        notes: The paths of the vault's notes.
    """
    known = frozenset(notes)
    missing = {}
    for question in questions:
        paths = dict.fromkeys(each.path for span in question.gold for each in (span, *span.alt))
        if absent := tuple(path for path in paths if path not in known):
            missing[question.id] = absent
    return missing
