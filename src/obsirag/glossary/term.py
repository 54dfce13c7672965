"""A term of a vault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from obsirag.glossary.names import names_in
from obsirag.records import PUBLIC, Permissions

__all__ = ["Field", "Term", "term_of"]

Field = Literal["term", "synonyms", "broader", "narrower", "meaning", "area"]


@dataclass(frozen=True, slots=True)
class Term:
    """What the vault calls something, with the other words for it.

    Args:
        name: The vault's own word.
        synonyms: What people say instead.
        broader: Terms that hold it.
        narrower: Terms that it holds.
        meaning: What it is, in a few words; tells senses of one everyday word apart.
        area: The part of the domain that it belongs to; empty if none is stated.
        is_alias: Whether it is a note's title with its aliases, rather than of a glossary.
        permissions: Who may read what says so.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    meaning: str = ""
    area: str = ""
    is_alias: bool = False
    permissions: Permissions = PUBLIC


def term_of(fields: Mapping[Field, str | Sequence[str]]) -> Term | None:
    """Return the term that fields describe; None if they name none.

    Args:
        fields: Their texts, or lists of names; a text of several names has them between commas or the like.
    """
    first, *others = [*names_in(_text(fields.get("term"))), ""]
    if not first:
        return None
    synonyms = dict.fromkeys([*filter(None, others), *_names(fields.get("synonyms"))])
    return Term(
        first,
        synonyms=tuple(name for name in synonyms if name != first),
        broader=_names(fields.get("broader")),
        narrower=_names(fields.get("narrower")),
        meaning=_text(fields.get("meaning")),
        area=_text(fields.get("area")),
    )


def _names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    texts = [given] if isinstance(given, str) else given or ()
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))


def _text(given: str | Sequence[str] | None) -> str:
    return given.strip() if isinstance(given, str) else "、".join(given or ())
