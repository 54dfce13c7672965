"""Prompts and notices in Chinese and English, as files beside this one, read when they are used."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from string import Template
from typing import Any

from obsirag.graphs.language import Language

__all__ = ["notice", "part_names", "prompt"]


def prompt(name: str, language: Language, **values: str) -> str:
    """Return the prompt ``<name>.<language>.md`` with ``$name`` filled in.

    Args:
        name: The prompt's name.
        language: Its language.
        values: What to fill in; it is put in as it is, and never read as a template itself.
    """
    template = files(__name__).joinpath(f"{name}.{language}.md").read_text("utf-8")
    return Template(template).substitute(values).strip()


def notice(name: str, language: Language, **values: str) -> str:
    """Return a sentence of obsirag's own, from ``notices.<language>.toml``."""
    return Template(_notices(language)[name]).substitute(values)


def part_names(parts: Sequence[str], language: Language) -> str:
    """Return the names of parts as a reader knows them, joined."""
    known = _notices(language)["parts"]
    return ("、" if language == "zh" else ", ").join(known.get(part, part) for part in parts)


def _notices(language: Language) -> dict[str, Any]:
    return tomllib.loads(files(__name__).joinpath(f"notices.{language}.toml").read_text("utf-8"))
