"""A part of the pipeline, as the configuration names it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, StringConstraints, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from obsirag.config.model import ConfigModel
from obsirag.errors import ConfigError

__all__ = ["Part", "resolve_options"]


class Part(ConfigModel):
    """Which plugin makes a part, and with what options.

    In a file it is a name, ``embeddings: local``, or a mapping with a name and options,
    ``embeddings: {name: openai, model: …}``. The plugin checks the options when the part is built.

    Args:
        name: The name of an entry point in the group ``obsirag``.
    """

    model_config = ConfigDict(extra="allow")

    name: Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)] = Field(
        description="The plugin's name; `obsirag plugins` lists them."
    )

    @property
    def options(self) -> dict[str, Any]:
        """The options as written: ``{env: NAME}`` stands in them unread."""
        return dict(self.model_extra or {})

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        mapping = handler(schema)
        return {"anyOf": [{"type": "string", "minLength": 1}, mapping]}

    # Options may hold secrets, so only their names are shown.
    def __repr__(self) -> str:
        return f"Part({', '.join([repr(self.name), *(f'{name}=…' for name in self.options)])})"

    __str__ = __repr__


def resolve_options(part: Part, *, place: str, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a part's options with each ``{env: NAME}`` replaced by that environment variable's value.

    Args:
        part: The part that is about to be built.
        place: Where it stands in the configuration, e.g. ``embeddings``; for messages.
        environ: The variables; ``os.environ`` if None.

    Raises:
        ConfigError: If a variable is not set, or is empty.
    """
    variables = os.environ if environ is None else environ
    return {name: _resolve(value, f"{place}.{name}", variables) for name, value in part.options.items()}


def _resolve(value: Any, place: str, variables: Mapping[str, str]) -> Any:
    if isinstance(value, list | tuple):
        return [_resolve(each, f"{place}.{index}", variables) for index, each in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if set(value) != {"env"}:
        return {key: _resolve(each, f"{place}.{key}", variables) for key, each in value.items()}
    variable = value["env"]
    if not isinstance(variable, str):
        raise ConfigError(f"`{place}`: `env` takes the name of an environment variable")
    found = variables.get(variable)
    if not found:
        raise ConfigError(
            f"`{place}` is to come from the environment variable {variable}, which is not set or is empty: set it, "
            f"or write the value itself"
        )
    return found
