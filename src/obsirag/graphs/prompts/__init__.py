"""Prompts and notices in Chinese and English, as files beside this one, read when they are used."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from obsirag.config import nearest_names
from obsirag.errors import ConfigError
from obsirag.graphs.language import Language
from obsirag.graphs.prompt_marks import harmless

__all__ = ["Prompts", "notice", "part_names", "prompt_files"]


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts, each in Chinese and English.

    Args:
        folder: A folder with prompts of one's own, named as the built-in ones (``answer.en.md``); each takes the place
            of the one of its name. None for the built-in ones.
    """

    folder: Path | None = None

    def fill(self, name: str, language: Language, **values: str) -> str:
        """Return a prompt with ``$name`` filled in.

        Args:
            name: The prompt's name.
            language: Its language.
            values: What to fill in; it is put in as it is, and never read as a template itself.
        """
        file = f"{name}.{language}.md"
        own = self.folder / file if self.folder is not None else None
        text = own.read_text("utf-8-sig") if own is not None and own.is_file() else _built_in(file)
        return Template(text).substitute(values).strip()

    def wrong_form(self, language: Language) -> Callable[[str], str]:
        """Return what says, of an error, that an answer is not of the form that was asked for."""
        return lambda error: self.fill("wrong_form", language, error=harmless(error))

    def check(self) -> None:
        """Make sure that each prompt of the folder can be used.

        Raises:
            ConfigError: If there is no such folder, or a file in it has a strange name, cannot be read, lacks what its
                prompt is about, or names what there is nothing to fill in for.
        """
        if self.folder is None:
            return
        if not self.folder.is_dir():
            raise ConfigError(f"prompts: there is no folder {self.folder}")
        names = prompt_files()
        for file in sorted(self.folder.glob("*.md")):
            if file.name not in names:
                nearest = nearest_names(file.name, names)
                hint = f" (did you mean {nearest[0]}?)" if nearest else ""
                raise ConfigError(f"prompts: {file} is no prompt's name{hint}; known are {', '.join(names)}")
            _check(file)


def prompt_files() -> list[str]:
    """Return the file names of all prompts."""
    return sorted(each.name for each in files(__name__).iterdir() if each.name.endswith(".md"))


def _check(file: Path) -> None:
    try:
        template = Template(file.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"prompts: {file} cannot be read; it must be a UTF-8 text file") from error
    if not template.is_valid():
        raise ConfigError(f"prompts: {file} holds a lone $; write $$ for a dollar sign")
    expected = set(Template(_built_in(file.name)).get_identifiers())
    given = set(template.get_identifiers())
    if missing := sorted(expected - given):
        raise ConfigError(f"prompts: {file} lacks {', '.join(f'${name}' for name in missing)}")
    if unknown := sorted(given - expected):
        raise ConfigError(
            f"prompts: {file} names {', '.join(f'${name}' for name in unknown)}, for which there is nothing to fill "
            "in; write $$ for a dollar sign"
        )


@cache
def _built_in(file: str) -> str:
    return files(__name__).joinpath(file).read_text("utf-8")


def notice(name: str, language: Language, **values: str) -> str:
    """Return a sentence of obsirag's own, from ``notices.<language>.toml``."""
    return Template(_notices(language)[name]).substitute(values)


def part_names(parts: Sequence[str], language: Language) -> str:
    """Return the names of parts as a reader knows them, joined."""
    known = _notices(language)["parts"]
    return ("、" if language == "zh" else ", ").join(known.get(part, part) for part in parts)


@cache
def _notices(language: Language) -> dict[str, Any]:
    return tomllib.loads(files(__name__).joinpath(f"notices.{language}.toml").read_text("utf-8"))
