"""Pydantic's faults in the project's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from obsirag.config.nearest import nearest_names
from obsirag.errors import ConfigError

__all__ = ["to_config_error"]

# Pydantic's words for Python's types, in the words of a configuration file.
_WORDS = (
    (re.compile(r"^(Input|String) should "), "must "),
    (re.compile(r"a valid dictionary( or (instance|object) .*)?$"), "a mapping of keys to values"),
    (re.compile(r"a valid (tuple|list)$"), "a list"),
    (re.compile(r"a valid integer"), "a whole number"),
    (re.compile(r"a valid boolean"), "true or false"),
    (re.compile(r"a valid string"), "text"),
    (re.compile(r"^Input is not a valid path.*"), "must be a path"),
)


def to_config_error(error: ValidationError, model: type[BaseModel], *, place: str = "") -> ConfigError:
    """Return a ConfigError that says each fault with its place and the nearest name.

    Args:
        error: What pydantic found.
        model: The model that was to be built; its fields are the names that can be suggested.
        place: Where the values came from, e.g. a file; empty for a constructor.
    """
    faults = [_describe(details, model) for details in error.errors(include_url=False)]
    where = place or f"{model.__name__}(…)"
    if len(faults) == 1:
        return ConfigError(f"{where}: {faults[0]}")
    return ConfigError(f"{where}: {len(faults)} faults\n" + "\n".join(f"  - {fault}" for fault in faults))


def _describe(details: ErrorDetails, model: type[BaseModel]) -> str:
    path, owner = _walk(details["loc"], model, details["type"])
    dotted = ".".join(path)
    kind = details["type"]
    if kind == "extra_forbidden":
        return f"unknown key `{dotted}`{_suggest(path[-1], owner, model)}"
    if kind == "missing":
        return f"`{dotted}` is missing"
    if not path:
        return _reason(details)
    return f"`{dotted}`: {_reason(details)}"


def _reason(details: ErrorDetails) -> str:
    reason = details["msg"].removeprefix("Value error, ")
    for theirs, ours in _WORDS:
        reason = theirs.sub(ours, reason)
    value = details.get("input")
    # Numbers, flags and choices are no secrets; any other value might be one, and isn't repeated.
    if details["type"] == "literal_error" and isinstance(value, str):
        near = nearest_names(value, re.findall(r"'([^']*)'", str(details["ctx"]["expected"])))
        return f"{reason}, not {value[:40]!r}" + (f"; did you mean `{near[0]}`?" if near else "")
    if isinstance(value, int | float) and details["type"] != "value_error":
        return f"{reason}, not {value!r}"
    return reason


def _walk(loc: tuple[int | str, ...], model: type[BaseModel], kind: str) -> tuple[list[str], type[BaseModel] | None]:
    """Return the path without the marks that pydantic puts in for unions, and the model that holds its last key."""
    path: list[str] = []
    holder: type[BaseModel] | None = model
    candidates = [model]
    is_key = False  # of a mapping, whose values are what the mapping's field allows
    for index, step in enumerate(loc):
        if isinstance(step, int) or is_key:  # or the place in a list
            path.append(str(step))
            is_key = False
            continue
        inside = [each for each in candidates if str(step) in each.model_fields]
        if candidates and not inside and (kind != "extra_forbidden" or index < len(loc) - 1):
            continue  # the name of a union's branch
        path.append(str(step))
        holder = (inside or candidates or [None])[0]  # type: ignore[list-item]
        annotation = inside[0].model_fields[str(step)].annotation if inside else None
        candidates = list(_models_in(annotation))
        is_key = get_origin(annotation) is Mapping
    return path, holder


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _suggest(key: str, owner: type[BaseModel] | None, root: type[BaseModel]) -> str:
    names = list(owner.model_fields) if owner else []
    near = nearest_names(key, names)
    if near:
        return f"; did you mean `{near[0]}`?"
    elsewhere = [path for path in _all_paths(root) if path.rpartition(".")[2] == key]
    if elsewhere:
        return f"; did you mean `{elsewhere[0]}`?"
    return f"; known here: {', '.join(names)}" if names else ""


def _all_paths(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield prefix + name
        for inner in _models_in(field.annotation):
            yield from _all_paths(inner, f"{prefix}{name}.")
