"""Question sets: what is asked, and where in the notes the answer stands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.dataclasses import dataclass

from obsirag.config import nearest_names
from obsirag.errors import EvaluationError

__all__ = ["HUMAN_ROLES", "GoldSpan", "Question", "Turn", "load_questions", "search_text"]

_STRICT = ConfigDict(extra="forbid")
HUMAN_ROLES = frozenset({"human", "user"})

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
LineNumber = Annotated[int, Field(ge=1, strict=True)]


class Turn(NamedTuple):
    """One message of the conversation before a question.

    Args:
        role: Who said it: ``user`` or ``human`` for the person who asks.
        text: What was said.
    """

    role: str
    text: str


def _turn(row: object) -> object:
    """Read ``{"role": …, "content": …}`` as the pair it stands for; anything else is left to the validation."""
    if isinstance(row, Mapping) and set(row) == {"role", "content"}:
        return row["role"], row["content"]
    return row


@dataclass(frozen=True, slots=True, config=_STRICT)
class GoldSpan:
    """Lines of a note that hold an answer, or a part of it.

    Args:
        path: Vault-relative POSIX path.
        start_line: 1-based first line of the source file.
        end_line: Its last line.
        alt: Other places that say the same: each of them counts as this one.
    """

    path: Text
    start_line: LineNumber
    end_line: LineNumber
    alt: tuple[GoldSpan, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end_line < self.start_line:
            raise ValueError(f"end_line {self.end_line} lies before start_line {self.start_line}")
        return self


@dataclass(frozen=True, slots=True, config=_STRICT)
class Question:
    """One question with what is expected of its answer.

    Args:
        id: Its name in reports; unique in its file.
        question: What is asked.
        gold: Where the answer stands; empty if nothing may be cited.
        needs: Whether ``any`` of the gold spans answers it, or ``all`` are needed.
        vault: The vault it is asked of.
        kind: The kind of question, by which reports are grouped.
        lang: Its language, e.g. ``en`` or ``zh``.
        history: The conversation before it, oldest turn first.
        key_points: What a right answer says.
        labels: The caller's permission labels.
        notes: A remark for people.
    """

    id: Text
    question: Text
    gold: tuple[GoldSpan, ...]
    needs: Literal["any", "all"] = "any"
    vault: str = ""
    kind: str = ""
    lang: str = ""
    history: tuple[Annotated[Turn, BeforeValidator(_turn)], ...] = ()
    key_points: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    notes: str = ""


_FIELDS = tuple(Question.__dataclass_fields__)


def load_questions(path: str | Path) -> list[Question]:
    """Read a question file: one JSON object a line, blank lines aside, with the fields of ``Question``.

    A turn of ``history`` is ``["user", "text"]`` or ``{"role": "user", "content": "text"}``.

    Args:
        path: The file, UTF-8.

    Raises:
        EvaluationError: If the file cannot be read, or a line isn't a question; it names the file, the line, and each
            field that is wrong.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise EvaluationError(f"Cannot read the question file {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise EvaluationError(
            f"The question file {path} is not UTF-8 (byte {error.start}); save it as UTF-8"
        ) from error
    return list(_read_lines(path, text))


def search_text(question: Question) -> str:
    """Return what to search for: the question, for a follow-up with the last human turn before it.

    A follow-up ("and if that fails?") names its subject only in the turns before; the last thing that the person said
    most often does, and taking it along needs no model.
    """
    asked = next((turn.text for turn in reversed(question.history) if turn.role in HUMAN_ROLES), None)
    return question.question if asked is None else f"{asked}\n{question.question}"


def _read_lines(path: Path, text: str) -> Iterator[Question]:
    adapter = TypeAdapter(Question)
    first_line: dict[str, int] = {}
    # Not splitlines(): a string in a JSON line may hold U+2028 and its like as they are.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            question = adapter.validate_python(json.loads(line))
        except ValidationError as error:
            raise EvaluationError(f"{path}:{number}: not a question: {_describe(error)}") from error
        except (ValueError, RecursionError) as error:
            raise EvaluationError(f"{path}:{number}: not a JSON object: {error}") from error
        if question.id in first_line:
            raise EvaluationError(
                f"{path}:{number}: the id {question.id!r} is taken by line {first_line[question.id]}; give each its own"
            )
        first_line[question.id] = number
        yield question


def _describe(error: ValidationError) -> str:
    return "; ".join(_describe_one(each) for each in error.errors(include_url=False, include_context=False))


def _describe_one(detail: Any) -> str:
    place = ".".join(str(part) for part in detail["loc"])
    if detail["type"] != "unexpected_keyword_argument":
        return f"{place}: {detail['msg']}" if place else str(detail["msg"])
    known = _FIELDS if len(detail["loc"]) == 1 else tuple(GoldSpan.__dataclass_fields__)
    nearest = nearest_names(str(detail["loc"][-1]), known)
    return f"unknown field {place}" + (
        f" (did you mean {nearest[0]}?)" if nearest else f"; known are {', '.join(known)}"
    )
