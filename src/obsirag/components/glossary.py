"""The terms of an index, for each caller."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from obsirag.config import RagConfig, TermOptions
from obsirag.errors import ConfigError
from obsirag.records import Permissions, may_read
from obsirag.records.path_patterns import compile_patterns

if TYPE_CHECKING:
    import sqlite3

    from obsirag.catalogue import Catalogue
    from obsirag.glossary import Term

__all__ = ["GlossarySource", "open_glossary"]

_log = logging.getLogger(__name__)

Made = TypeVar("Made")

_MOST_KEPT = 16
"""So many kinds of callers, by what they may read, are served without delay."""


class GlossarySource(Generic[Made]):
    """Gives what is made of the terms that a caller may read, as the index holds them now.

    The notes' terms are read from the catalogue, once for each state of the index: so they are those of the very
    chunks that are searched, under the permissions of these.

    Args:
        catalogue: The catalogue.
        options: Which notes hold terms, and whether aliases do.
        outside: The terms that stand in files.
        make: Makes something of terms, once for all callers who may read the same.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        options: TermOptions,
        outside: Sequence[Term],
        make: Callable[[Sequence[Term]], Made],
    ) -> None:
        self._catalogue = catalogue
        self._options = options
        self._outside = outside
        self._make = make
        self._lock = threading.Lock()
        self._state: tuple[int, int] | None = None
        self._terms: tuple[Term, ...] = ()
        self._made: dict[frozenset[Permissions], Made] = {}

    def readable(self, labels: Collection[str]) -> Made:
        """Return what is made of the terms that a caller with ``labels`` may read.

        Raises:
            CatalogueError: If the index cannot be read.
        """
        with self._lock:
            self._follow()
            readable = frozenset(each for each in {term.permissions for term in self._terms} if may_read(each, labels))
            if readable not in self._made:
                while len(self._made) >= _MOST_KEPT:
                    del self._made[next(iter(self._made))]
                self._made[readable] = self._make([term for term in self._terms if term.permissions in readable])
            return self._made[readable]

    def _follow(self) -> None:
        """Read the terms anew if the index has changed."""
        from obsirag.catalogue import index_state

        if self._state is not None and self._catalogue.index_state == self._state:
            return
        with self._catalogue.reading() as connection:
            state = index_state(connection)
            self._terms = (*self._outside, *self._of_glossary(connection), *self._of_aliases(connection))
        self._state, self._made = state, {}

    def _of_glossary(self, connection: sqlite3.Connection) -> Iterator[Term]:
        from obsirag.catalogue import note_texts
        from obsirag.glossary import terms_in_markdown

        for path in self._glossary_notes(connection):
            for text in note_texts(connection, path):
                over = [heading for heading in text.headings if heading != text.title]
                for term in terms_in_markdown(text.text, over[-1] if over else ""):
                    yield replace(term, permissions=text.permissions)

    def _of_aliases(self, connection: sqlite3.Connection) -> Iterator[Term]:
        from obsirag.catalogue import named_notes
        from obsirag.glossary import Term, is_name

        for note in named_notes(connection) if self._options.aliases else ():
            names = [name for name in note.aliases if is_name(name)]
            if names and is_name(note.title):
                yield Term(note.title, tuple(names), is_alias=True, permissions=note.permissions)

    def _glossary_notes(self, connection: sqlite3.Connection) -> list[str]:
        """Return the paths of the notes that are named as glossaries, in order."""
        from obsirag.catalogue import named_notes, note_metadata

        if not self._options.glossary:
            return []
        tags = [each[1:].casefold() for each in self._options.glossary if each.startswith("#")]
        metadata = note_metadata(connection) if tags else {}
        paths = [note.path for note in named_notes(connection)]
        found: set[str] = set()
        for each in self._options.glossary:
            if each.startswith("#"):
                matching = {path for path in paths if _has_tag(metadata[path].get("tags"), each[1:].casefold())}
            else:
                matching = set(compile_patterns([each]).match_files(paths))
            if not matching:
                _log.warning("terms: no note of the index is %s, which `terms.glossary` names", each)
            found |= matching
        return sorted(found)


def open_glossary(config: RagConfig, make: Callable[[Sequence[Term]], Made]) -> GlossarySource[Made]:
    """Return the source of the terms that a configuration describes; files are read here, once.

    Args:
        config: The configuration.
        make: Makes something of terms.

    Raises:
        ConfigError: If a file cannot be read, or is a note, or a filter is wrong.
        CatalogueError: If there is no index, or it cannot be opened.
    """
    from obsirag.catalogue import Catalogue
    from obsirag.glossary import read_glossary
    from obsirag.retrievers import check_filter

    options = config.terms
    for area, chosen in options.areas.items():
        try:
            check_filter(chosen)
        except ConfigError as error:
            raise ConfigError(f"terms.areas: {area}: {error}") from error
    vault = config.vault.resolve()
    for file in options.files:
        # As a file it would be for everybody, whatever the note itself says.
        if file.suffix.lower() == ".md" and file.resolve().is_relative_to(vault):
            raise ConfigError(f"terms.files: {file} is a note; name it in `terms.glossary`, by its path in the vault")
    outside = [term for file in options.files for term in read_glossary(file)]
    return GlossarySource(Catalogue.open(config.index, create=False), options, outside, make)


def _has_tag(tags: object, wanted: str) -> bool:
    names = [tags] if isinstance(tags, str) else tags if isinstance(tags, list) else []
    folded = [str(name).casefold() for name in names]
    return any(name == wanted or name.startswith(f"{wanted}/") for name in folded)
