"""What the page of a run says, in Chinese and English."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from string import Template
from typing import Literal

from obsirag.cli.page.escaping import as_text

__all__ = ["Words"]


class Words:
    """The words of one language.

    Args:
        language: The language.
        package: A package with further words beside it, for another page that shows runs; they come before these.
    """

    def __init__(self, language: Literal["en", "zh"], package: str = "") -> None:
        self._words: dict[str, str] = {}
        for each in filter(None, (__package__, package)):
            self._words |= tomllib.loads(files(each).joinpath(f"words.{language}.toml").read_text("utf-8"))

    def __call__(self, word: str, /, **values: object) -> str:
        """Return a word, or a sentence, as HTML, with ``$name`` filled in; what is filled in is text."""
        return Template(self._words[word]).substitute({key: as_text(str(each)) for key, each in values.items()})

    def named(self, group: str, name: str) -> str:
        """Return the word for a name that the graph uses, such as a status; the name itself if there is none."""
        return self._words.get(f"{group}_{name}") or as_text(name)
