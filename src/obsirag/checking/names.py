"""The names that a vault gives to things: what is called so isn't misspelt."""

from __future__ import annotations

from collections.abc import Iterable

from obsirag.config import RagConfig
from obsirag.glossary import Term, read_glossary, terms_in_markdown
from obsirag.records import Note
from obsirag.records.path_patterns import compile_patterns

__all__ = ["known_names"]


def known_names(config: RagConfig, notes: Iterable[Note]) -> frozenset[str]:
    """Return the titles, file names and aliases of notes, and the terms of the glossaries, in small letters.

    Args:
        config: Says which notes and files are glossaries.
        notes: The notes of the vault.

    Raises:
        ConfigError: If a glossary cannot be read.
    """
    options = config.terms
    tags = {each[1:].casefold() for each in options.glossary if each.startswith("#")}
    paths = compile_patterns([each for each in options.glossary if not each.startswith("#")])
    names: set[str] = set()
    terms: list[Term] = [term for file in options.files for term in read_glossary(file)]
    for note in notes:
        names |= {note.title, note.path.rpartition("/")[2].rpartition(".")[0], *note.aliases}
        if paths.match_file(note.path) or tags & _tags_of(note):
            terms += terms_in_markdown(note.text)
    for term in terms:
        names |= {term.name, *term.synonyms, *term.broader, *term.narrower}
    return frozenset(name.strip().lower() for name in names if name.strip())


def _tags_of(note: Note) -> set[str]:
    """Return a note's tags in small letters, each with those that it is nested in."""
    tags: set[str] = set()
    for tag in note.tags:
        parts = tag.casefold().split("/")
        tags |= {"/".join(parts[: count + 1]) for count in range(len(parts))}
    return tags
