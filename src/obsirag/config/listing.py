"""All options of the configuration in a list, as its models have them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from obsirag.config.rag import RagConfig

__all__ = ["Option", "list_options", "options_as_markdown"]

_BOUNDS = (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))
_UNBOUNDED = 2**31 - 1
_PART = "Part"
Schema = Mapping[str, Any]


class Option(NamedTuple):
    """An option of the configuration.

    Args:
        path: Its keys from the outermost on, with dots; ``[]`` stands for each entry of a list.
        kind: What its value is, in words.
        default: Its default as JSON; empty if it has to be given, or has options of its own.
        meaning: What it does.
    """

    path: str
    kind: str
    default: str
    meaning: str


def list_options() -> list[Option]:
    """Return every option of ``RagConfig``, those of sections behind the section itself."""
    schema = RagConfig.model_json_schema()
    return [*_options(schema, schema["$defs"], "")]


def options_as_markdown() -> str:
    """Return the options as a table."""
    lines = ["| Option | Value | Default | Meaning |", "| --- | --- | --- | --- |"]
    for option in list_options():
        default = f"`{option.default}`" if option.default else ""
        lines.append(f"| `{option.path}` | {option.kind} | {default} | {option.meaning} |")
    return "\n".join(lines).replace(" |  |", " | |") + "\n"


def _options(model: Schema, models: Schema, prefix: str) -> Iterator[Option]:
    for name, value in model.get("properties", {}).items():
        path = f"{prefix}{name}"
        sections = [(each, path if key == "$ref" else f"{path}[]") for key, each in _sections(value)]
        meaning = value.get("description") or next((models[each]["description"] for each, _ in sections), "")
        has_default = "default" in value and not (value.get("$ref") and sections)
        default = json.dumps(value["default"], ensure_ascii=False) if has_default else ""
        if isinstance(value.get("default"), Mapping) and sections:
            default = ""
        yield Option(path, _kind(value), default, " ".join(meaning.split("\n\n")[0].split()))
        for section, place in sections:
            yield from _options(models[section], models, f"{place}.")


def _sections(value: Schema) -> Iterator[tuple[str, str]]:
    """Yield the models with options of their own that a value may be of, and whether alone or in a list."""
    if (reference := value.get("$ref")) and not reference.endswith(f"/{_PART}"):
        yield "$ref", reference.rpartition("/")[2]
    for each in (*value.get("anyOf", ()), *value.get("oneOf", ())):
        yield from _sections(each)
    if items := value.get("items"):
        yield from (("items", name) for _, name in _sections(items))


def _kind(value: Schema) -> str:
    if reference := value.get("$ref"):
        return "a part" if reference.endswith(f"/{_PART}") else "a section"
    if choices := value.get("anyOf") or value.get("oneOf"):
        return " or ".join(dict.fromkeys("nothing" if each.get("type") == "null" else _kind(each) for each in choices))
    if "enum" in value:
        return " or ".join(f"`{each}`" for each in value["enum"])
    if "const" in value:
        return f"`{value['const']}`"
    match value.get("type"):
        case "array":
            return f"a list: {_kind(value['items'])}" if value.get("items") else "a list"
        case "object":
            inner = value.get("additionalProperties")
            return f"names with values: {_kind(inner)}" if isinstance(inner, Mapping) else "names with values"
        case "integer" | "number" as kind:
            return ", ".join(["an integer" if kind == "integer" else "a number", *_bounds(value)])
        case "boolean":
            return "`true` or `false`"
        case "string":
            return "a path" if "path" in str(value.get("format", "")) else "text"
    return "anything"


def _bounds(value: Schema) -> Iterator[str]:
    for name, sign in _BOUNDS:
        if name in value and value[name] != _UNBOUNDED:
            yield f"{sign} {value[name]:g}"
