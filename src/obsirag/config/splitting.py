"""The options of the built-in splitter, for all notes and for those of one kind."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from obsirag.config.model import ConfigModel, Count, Size
from obsirag.records.path_patterns import compile_patterns

__all__ = ["SplitterOptions", "SplitterRuleOptions"]

Unit = Literal["characters", "words", "tokens", "model_tokens"]
AskModel = Literal["never", "without_headings", "always"]


def _check_overlap(value: Any) -> Any:
    is_share = isinstance(value, float) and 0 <= value < 0.5
    is_length = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not (is_share or is_length):
        raise ValueError("must be a whole number of at least 0, or a share of chunk_size below 0.5, such as 0.1")
    return value


def _check_pattern(value: Any) -> Any:
    if isinstance(value, str):
        compile_patterns([value])
    return value


def _check_tag(value: Any) -> Any:
    if not isinstance(value, str) or not value.strip().strip("#/"):
        raise ValueError("must be a tag, such as manual or manual/setup")
    return value


def _check_wanted(value: Any) -> tuple[Any, ...]:
    wanted = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not wanted or not all(isinstance(each, str | int | float | date) for each in wanted):
        raise ValueError("must be a text, a number, a date, true or false, or a list of them")
    return wanted


Overlap = Annotated[int | float, BeforeValidator(_check_overlap)]
Value = str | bool | int | float | datetime | date
Wanted = Annotated[tuple[Value, ...], BeforeValidator(_check_wanted, json_schema_input_type=Value | tuple[Value, ...])]


class SplitterRuleOptions(ConfigModel):
    """Other sizes for the notes that meet all conditions given.

    What is left out is as in the options for all notes. But ``min_chunk_size``, ``max_chunk_size`` and
    ``parent_chunk_size`` belong to a ``chunk_size``: a rule that sets that one works them out anew. And with another
    ``unit``, which needs a ``chunk_size`` too, only a share is taken over as overlap.
    """

    paths: tuple[Annotated[str, BeforeValidator(_check_pattern)], ...] = Field(
        default=(), description="The note's path must match, in gitignore syntax."
    )
    tags: tuple[Annotated[str, BeforeValidator(_check_tag)], ...] = Field(
        default=(), description="The note must have one of these tags, or one nested in it."
    )
    fields: dict[str, Wanted] = Field(
        default={}, description="Each of these front matter fields must have, or hold, the value, or one of several."
    )
    chunk_size: Size | None = Field(default=None, description="What a chunk should not pass.")
    min_chunk_size: Size | None = Field(default=None, description="Shorter neighbours are packed.")
    chunk_overlap: Overlap | None = Field(default=None, description="Text taken over from the chunk before.")
    max_chunk_size: Size | None = Field(default=None, description="What no chunk ever passes.")
    parent_chunk_size: Size | None = Field(default=None, description="How large the sections around chunks are.")
    unit: Unit | None = Field(default=None, description="What sizes are counted in.")
    ask_model: AskModel | None = Field(default=None, description="Where the chat model says where topics begin.")

    @model_validator(mode="after")
    def _check_conditions(self) -> Self:
        if not (self.paths or self.tags or self.fields):
            raise ValueError(
                "needs a condition: paths, tags or fields; what holds for all notes stands above the rules"
            )
        if self.paths:
            compile_patterns(self.paths, must_match=True)
        return self


class SplitterOptions(ConfigModel):
    """How large the built-in splitter's chunks are, and where it may ask a chat model."""

    chunk_size: Size = Field(default=1000, description="What a chunk should not pass.")
    min_chunk_size: Size | None = Field(default=None, description="Shorter neighbours are packed; half if not set.")
    chunk_overlap: Overlap = Field(
        default=50, description="Text taken over from the chunk before, or its share of chunk_size; kept below half."
    )
    max_chunk_size: Size | None = Field(default=None, description="What no chunk ever passes; double if not set.")
    parent_chunk_size: Size | None = Field(
        default=None, description="How large the sections around chunks are; four times chunk_size if not set."
    )
    unit: Unit = Field(
        default="characters",
        description="What sizes are counted in; tokens are estimated, rather too many, model_tokens are counted by the "
        "embedding model.",
    )
    heading_separator: str = Field(default="-", description="What stands between the headings in `hierarchy_path`.")
    ask_model: AskModel = Field(
        default="never",
        description="Whether the chat model says where new topics begin in text that is longer than a chunk: never, in "
        "notes without headings below their title, or always.",
    )
    model_calls: Count = Field(default=20, description="Most calls of the chat model for one note.")
    rules: tuple[SplitterRuleOptions, ...] = Field(
        default=(), description="Other sizes for some kinds of notes; the first rule that matches a note counts."
    )

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        _check_sizes(self.model_dump(), "")
        for index, rule in enumerate(self.rules):
            if rule.unit not in (None, self.unit) and rule.chunk_size is None:
                raise ValueError(f"rules.{index} has another unit ({rule.unit}), and so needs a chunk_size of its own")
            _check_sizes(self._merged(rule), f"rules.{index}.")
        return self

    def for_rule(self, rule: SplitterRuleOptions) -> SplitterOptions:
        """Return the options for the notes that ``rule``, one of ``rules``, matches."""
        return SplitterOptions(**self._merged(rule))

    @property
    def asks_model(self) -> bool:
        """Whether the chat model is asked about any note."""
        return any(each not in (None, "never") for each in (self.ask_model, *(rule.ask_model for rule in self.rules)))

    def _merged(self, rule: SplitterRuleOptions) -> dict[str, Any]:
        own = rule.model_dump(exclude={"paths", "tags", "fields"}, exclude_none=True)
        taken = self.model_dump(exclude={"rules"})
        if own.get("chunk_size") is not None:
            for name in ("min_chunk_size", "max_chunk_size", "parent_chunk_size"):
                del taken[name]
        if own.get("unit", self.unit) != self.unit and isinstance(self.chunk_overlap, int):
            del taken["chunk_overlap"]
        return {**taken, **own}


def _check_sizes(sizes: dict[str, Any], place: str) -> None:
    """Raise ValueError if a size is on the wrong side of another."""
    size, least, most = sizes["chunk_size"], sizes.get("min_chunk_size"), sizes.get("max_chunk_size")
    if least is not None and least > size:
        raise ValueError(f"{place}min_chunk_size ({least}) is over chunk_size ({size})")
    if most is not None and most < size:
        raise ValueError(f"{place}max_chunk_size ({most}) is under chunk_size ({size})")
