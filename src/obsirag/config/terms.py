"""The options of the vault's terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from obsirag.config.model import ConfigModel, Count, Flag, Size
from obsirag.config.paths import FilePath
from obsirag.records.path_patterns import compile_patterns

__all__ = ["TermOptions"]

Text = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]


class TermOptions(ConfigModel):
    """How everyday words of a question are brought to the vault's terms."""

    enabled: Flag | None = Field(
        default=None, description="Whether it is done at all; where `glossary` or `files` names something if not set."
    )
    glossary: tuple[Text, ...] = Field(
        default=(), description="Notes with terms: paths or patterns in gitignore syntax, or tags such as `#glossary`."
    )
    files: tuple[FilePath, ...] = Field(
        default=(),
        description="Files with terms outside the vault: YAML, JSON, CSV or Markdown. They are for everybody.",
    )
    aliases: Flag = Field(default=True, description="Whether a note's aliases stand for its title.")
    ask_model: Flag = Field(
        default=False,
        description="Whether the chat model chooses among the terms where no word of a question is known.",
    )
    offered: Annotated[Size, Field(le=500)] = Field(
        default=60, description="Number of terms that the chat model chooses from."
    )
    max_added: Annotated[Count, Field(le=100)] = Field(
        default=5, description="Most terms that are added to what is searched for."
    )
    broader: Flag = Field(default=False, description="Whether the terms above those of a question are added too.")
    narrower: Flag = Field(default=False, description="Whether the terms below those of a question are added too.")
    areas: Mapping[Text, Mapping[str, Any]] = Field(
        default={}, description="Filters by area: a question whose terms are all of it searches only what matches."
    )

    @field_validator("glossary")
    @classmethod
    def _check_glossary(cls, glossary: tuple[str, ...]) -> tuple[str, ...]:
        for each in glossary:
            if not each.startswith("#"):
                compile_patterns([each], must_match=True)
        return glossary

    @property
    def is_on(self) -> bool:
        """Whether a question's words are mapped."""
        return bool(self.glossary or self.files) if self.enabled is None else self.enabled
