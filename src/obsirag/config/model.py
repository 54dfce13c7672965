"""What all models of the configuration have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from obsirag.config.faults import to_config_error

__all__ = ["ConfigModel", "Count", "Flag", "Seconds", "Share", "Size"]

# Strict, because `true` is no size and "no" is no flag; YAML and TOML know the types themselves.
# Bounded, because databases and stores take no larger numbers.
_LARGEST = 2**31 - 1
Size = Annotated[int, Field(strict=True, ge=1, le=_LARGEST)]
Count = Annotated[int, Field(strict=True, ge=0, le=_LARGEST)]
Flag = Annotated[bool, Field(strict=True)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=86_400)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]


class ConfigModel(BaseModel):
    """A frozen model that refuses unknown keys.

    The constructor raises ConfigError; ``model_validate`` raises pydantic's own error, so that these models can be
    fields of other people's models.
    """

    # Inputs may be secrets: pydantic's messages must not repeat them.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, validate_default=True)

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise to_config_error(error, type(self)) from error

    @classmethod
    def parse(cls, values: Mapping[str, Any], *, place: str, folder: Path | None = None) -> Self:
        """Return the model that ``values`` describe.

        Args:
            values: Keys and values, not checked yet.
            place: Where they came from, for messages, e.g. a file or ``embeddings (openai)``.
            folder: What relative paths in them are relative to; the working directory if None.

        Raises:
            ConfigError: If a key is unknown or a value is wrong.
        """
        try:
            return cls.model_validate(values, context={"folder": folder})
        except ValidationError as error:
            raise to_config_error(error, cls, place=place) from error

    # Tells pydantic to validate nested models directly instead of through this constructor: their faults are then
    # collected, each with its full path.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]
