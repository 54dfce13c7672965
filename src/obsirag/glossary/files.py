"""Glossaries in files of their own: YAML, JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

import yaml

from obsirag.errors import ConfigError
from obsirag.glossary.columns import field_of, terms_of_rows
from obsirag.glossary.markdown_terms import terms_in_markdown
from obsirag.glossary.term import Field, Term, term_of
from obsirag.markdown import split_front_matter

__all__ = ["read_glossary"]


def read_glossary(file: Path) -> list[Term]:
    """Return the terms of a file; its suffix says how it is written.

    YAML and JSON hold a list of mappings with the keys ``term``, ``synonyms``, ``broader``, ``narrower``, ``meaning``
    and ``area``, or Chinese or English words for them, as in the head of a table; or a mapping of each term to its
    synonyms or to such a mapping. CSV has a head, as a Markdown table does.

    Args:
        file: The file.

    Raises:
        ConfigError: If it cannot be read; the message names the file and the place.
    """
    read = _READERS.get(file.suffix.lower())
    if read is None:
        raise ConfigError(f"{file}: a glossary ends in {', '.join(_READERS)}")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"{file}: the glossary cannot be read: {reason}") from error
    try:
        return read(text)
    except _WrongGlossaryError as error:
        raise ConfigError(f"{file}: {error}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"{file}:{mark.line + 1}" if mark else str(file)
        raise ConfigError(f"{line}: is not valid YAML: {error.problem or error.context}") from error
    # The YAML library lets through what Python raises on odd dates and depths; JSON's errors are ValueErrors.
    except (yaml.YAMLError, csv.Error, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise ConfigError(f"{file}: the glossary cannot be read: {error}") from error


class _WrongGlossaryError(Exception):
    """Says what is wrong, and where in the file."""


def _markdown(text: str) -> list[Term]:
    return terms_in_markdown(text[split_front_matter(text)[1] :])


def _csv(text: str) -> list[Term]:
    rows = list(csv.reader(io.StringIO(text)))
    return terms_of_rows(rows[0], rows[1:]) if rows else []


def _structured(given: Any) -> list[Term]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [_entry({"term": name, **_said(name, said)}, repr(name)) for name, said in given.items()]
    if isinstance(given, list):
        return [_entry(each, f"entry {number}") for number, each in enumerate(given, 1)]
    raise _WrongGlossaryError("must hold a list of terms, or a mapping of terms to their synonyms")


def _said(name: object, said: object) -> Mapping[Any, Any]:
    if isinstance(said, Mapping):
        return said
    if said is None or isinstance(said, str | list):
        return {"synonyms": said}
    raise _WrongGlossaryError(f"{name!r}: must have synonyms, or a mapping such as {{synonyms: […], area: …}}")


def _entry(given: object, place: str) -> Term:
    if not isinstance(given, Mapping):
        raise _WrongGlossaryError(f"{place}: must be a mapping such as {{term: …, synonyms: […]}}")
    fields: dict[Field, str | list[str]] = {}
    for key, value in given.items():
        field = field_of(str(key))
        if field is None:
            known = ", ".join(get_args(Field))
            raise _WrongGlossaryError(f"{place}: what is {key!r}? There are {known}")
        if value is not None:
            fields[field] = [str(each) for each in value] if isinstance(value, list) else str(value)
    term = term_of(fields)
    if term is None:
        raise _WrongGlossaryError(f"{place}: names no term")
    return term


_READERS: Mapping[str, Callable[[str], list[Term]]] = {
    ".yaml": lambda text: _structured(yaml.safe_load(text)),
    ".yml": lambda text: _structured(yaml.safe_load(text)),
    ".json": lambda text: _structured(json.loads(text)),
    ".csv": _csv,
    ".md": _markdown,
}
