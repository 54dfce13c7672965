"""What the content of an index depends on, written down so that a change of it is noticed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from types import ModuleType
from typing import Any

from obsirag.components.defaults import choose_store
from obsirag.components.loaders import ConfiguredLoader
from obsirag.components.parts import Components
from obsirag.config import Part, RagConfig

__all__ = ["describe_keywords", "describe_settings"]


def describe_settings(config: RagConfig, components: Components) -> dict[str, str]:
    """Return, by subject, a text that changes when what the index holds would change.

    Args:
        config: The configuration.
        components: The parts that are in use, with the splitter and the cleaners ready.
    """
    store = components.vector_store
    return {
        "vault": config.vault_options.model_dump_json(exclude={"load_seconds"}) + _describe_loaders(components),
        "cleaning": f"{config.cleaning.model_dump_json(exclude={'steps'})}{_describe_steps(config, components)}",
        # The object rather than the configuration: it may have been given ready, and it knows the model's input limit.
        "splitter": _digest(_describe_splitter(components.splitter)),
        "vector_store": _name_of(store) if store is not None else _describe_part(choose_store(config)),
        "keyword_index": describe_keywords(config, components),
    }


def _describe_loaders(components: Components) -> str:
    """Return what tells the loaders from others: a plugin's by its version and what it was given, not by its state."""
    known = [
        [each.origin, each.options, sorted(each.suffixes)] if isinstance(each, ConfiguredLoader) else _describe(each)
        for each in components.loaders or ()
    ]
    return f":{_digest(known)}" if known else ""


def describe_keywords(config: RagConfig, components: Components) -> str:
    """Return what tells the keyword index from others; empty for the catalogue's own."""
    if components.keyword_index is not None:
        return _name_of(components.keyword_index)
    part = config.keyword_index
    # `auto` goes with the vector store.
    return "" if part is None else f"{_describe_part(part)} {_describe_part(choose_store(config))}"


def _describe_splitter(splitter: Any) -> object:
    from obsirag.splitters import RuleSplitter

    if not isinstance(splitter, RuleSplitter):
        return _describe(splitter)
    # One by one, because what is nested deeper is told less exactly.
    rules = [[_describe([rule.paths, rule.tags, rule.fields]), _describe(rule.splitter)] for rule in splitter.rules]
    return [_describe(splitter.default), rules]


def _describe_steps(config: RagConfig, components: Components) -> str:
    if not components.cleaners:
        return ""
    # A step tells its plugin's version, and its part what the plugin was given: a function hides that.
    parts = [_describe_part(part) for part in config.cleaning.steps]
    steps = [[step.name, step.origin, _describe_finder(step.find)] for step in components.cleaners]
    return ":" + _digest([parts, steps])


def _describe_finder(find: Any) -> object:
    """Return what is known of a step's function, with what it was made with: its object, or what is closed in it."""
    if isinstance(find, partial):
        return [_describe_finder(find.func), _describe(find.args), _describe(find.keywords)]
    owner = getattr(find, "__self__", None)
    held = [] if isinstance(owner, ModuleType) else [owner]
    for cell in getattr(find, "__closure__", None) or ():
        with suppress(ValueError):  # not filled yet
            held.append(cell.cell_contents)
    return [_describe(find), _describe(held)]


def _describe_part(part: Part) -> str:
    return f"{part.name}:{_digest(part.options)}"


def _describe(value: object, depth: int = 4) -> object:
    """Return what can be told of ``value`` that stays the same from run to run, as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if depth == 0:
        return _name_of(value)
    if isinstance(value, Mapping):
        return {str(key): _describe(each, depth - 1) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = [_describe(each, depth - 1) for each in value]
        return sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    if isinstance(value, re.Pattern):
        return [_describe(value.pattern), value.flags]
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{getattr(value, '__module__', '')}.{value.__qualname__}"
    attributes = getattr(value, "__dict__", None) or {
        name: getattr(value, name, None) for name in getattr(type(value), "__slots__", ())
    }
    return {"class": _name_of(value), **{name: _describe(each, depth - 1) for name, each in attributes.items()}}


def _name_of(part: object) -> str:
    return f"{type(part).__module__}.{type(part).__qualname__}"


def _digest(value: object) -> str:
    # Options may be secrets, which must not end up in the index.
    written = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
