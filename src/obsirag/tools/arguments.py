"""What a model may say when it calls a tool; nothing here says what may be read."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ["AskArguments", "ReadArguments", "SearchArguments"]

_MOST_LINES = 2**31 - 1
Words = Annotated[str, StringConstraints(min_length=1, max_length=8000, pattern=r"\S")]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SearchArguments(_Arguments):
    """What to search for."""

    query: Words = Field(description="What to search for: a question, or words, names and identifiers.")


class ReadArguments(_Arguments):
    """Which note to read, and what of it."""

    path: Words = Field(description="The note's path, as `source` of a passage has it; its title will do.")
    heading: str = Field(default="", max_length=1000, description="Only what stands under this heading; empty for all.")
    first_line: int = Field(
        default=0, ge=0, le=_MOST_LINES, description="Only from this line of its file on; 0 for all."
    )
    last_line: int = Field(default=0, ge=0, le=_MOST_LINES, description="Only up to this line, included; 0 for all.")
    part: int = Field(default=1, ge=1, le=_MOST_LINES, description="Which part of a long note, from 1.")


class AskArguments(_Arguments):
    """What to ask."""

    question: Words = Field(description="The question, complete in itself: nothing that was asked before is known.")
