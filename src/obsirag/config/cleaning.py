"""The options of cleaning: a field for each step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    Tag,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from obsirag.config.model import ConfigModel, Count, Flag, Size
from obsirag.config.part import Part

__all__ = ["CleaningOptions", "HeaderFooterOptions", "Marker", "WatermarkOptions"]


def _check_regex(pattern: str) -> str:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r} is no regular expression ({error}); escape special characters") from error
    return pattern


Regex = Annotated[str, StringConstraints(strict=True, min_length=1), AfterValidator(_check_regex)]
Share = Annotated[float, Field(strict=True, gt=0, le=1, allow_inf_nan=False)]


def _switch_or_options(value: Any) -> str | None:
    if isinstance(value, bool):
        return "switch"
    return "options" if isinstance(value, Mapping | ConfigModel) else None


_SWITCH_OR_OPTIONS = Discriminator(
    _switch_or_options,
    custom_error_type="switch_or_options",
    custom_error_message="must be true, false or a mapping of options",
)


class Marker(ConfigModel):
    """What marks a line that is to go: in a file a regular expression, ``{regex: …}``, or ``{text: …}`` as it stands.

    Args:
        text: Plain text, in which no character has a special meaning.
        regex: A regular expression.
    """

    text: Annotated[str, StringConstraints(strict=True)] | None = Field(
        default=None, description="Plain text that the line holds; no character in it is special."
    )
    regex: Regex | None = Field(default=None, description="A regular expression that is found in the line.")

    @model_validator(mode="before")
    @classmethod
    def _from_regex(cls, value: Any) -> Any:
        return {"regex": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if (self.text is None) == (self.regex is None):
            raise ValueError("a marker has either `text` or `regex`")
        if self.text is not None and (not self.text.strip() or len(self.text.splitlines()) > 1):
            raise ValueError("the text of a marker must stand on one line and not be blank: every line would go")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        mapping = handler(schema)
        return {"anyOf": [{"type": "string", "minLength": 1, "format": "regex"}, mapping]}


class HeaderFooterOptions(ConfigModel):
    """Which lines are headers and footers of pages."""

    patterns: tuple[Regex, ...] = Field(
        default=(), description="A line that one of these matches is one, wherever it stands, with or without pages."
    )
    repeated: Flag = Field(
        default=True, description="Whether a line is one that stands near the borders of many pages, numbers aside."
    )
    border_lines: Size = Field(default=3, description="How many filled lines at a page's top and bottom are near.")
    min_share: Share = Field(default=0.4, description="On which share of the pages a line must stand.")
    min_pages: Annotated[Size, Field(ge=2)] = Field(default=3, description="On how many pages it must stand at least.")
    first_lines: Count = Field(default=0, description="How many filled lines at each page's top always go.")
    last_lines: Count = Field(default=0, description="How many filled lines at each page's bottom always go.")


class WatermarkOptions(ConfigModel):
    """Which lines are watermarks."""

    patterns: tuple[Regex, ...] = Field(
        default=(), description="A line that one of these matches is one, wherever it stands, with or without pages."
    )
    repeated: Flag = Field(default=True, description="Whether a line is one that stands, anywhere, on most pages.")
    min_share: Share = Field(default=0.8, description="On which share of the pages a line must stand.")
    min_pages: Annotated[Size, Field(ge=2)] = Field(default=3, description="On how many pages it must stand at least.")


class CleaningOptions(ConfigModel):
    """Which cleaning steps run, in the order of the fields."""

    line_ends: Flag = Field(default=True, description="Every line end becomes a line feed.")
    headers_footers: Annotated[
        Annotated[Flag, Tag("switch")] | Annotated[HeaderFooterOptions, Tag("options")],
        _SWITCH_OR_OPTIONS,
    ] = Field(default=False, description="Headers and footers of pages go.")
    watermarks: Annotated[
        Annotated[Flag, Tag("switch")] | Annotated[WatermarkOptions, Tag("options")],
        _SWITCH_OR_OPTIONS,
    ] = Field(default=False, description="Watermarks go.")
    page_breaks: tuple[Regex, ...] = Field(
        default=(), description="A line that a pattern matches parts two pages, as a form feed does, and goes."
    )
    control_characters: Flag = Field(default=True, description="Control characters that mean nothing in text go.")
    zero_width: Flag = Field(default=True, description="Zero-width characters and byte order marks go.")
    full_width: Flag = Field(default=False, description="Full-width letters and digits become half-width.")
    ocr_spaces: Flag = Field(default=False, description="Blanks between CJK characters go.")
    markers: tuple[Marker, ...] = Field(default=(), description="A line that holds one of these goes.")
    steps: tuple[Part, ...] = Field(default=(), description="Steps of plugins, in this order.")
    trailing_spaces: Flag = Field(default=True, description="Blanks at the end of a line go, hard breaks excepted.")
    blank_lines: Flag = Field(default=True, description="More than two blank lines in a row become two.")
