"""How the checks of indexes of words open, fill and ask one, and what it may do beside what it must."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from obsirag.errors import ConfigError
from obsirag.records import KeywordIndex
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.conformance import Conformance

__all__ = ["KeywordAbilities"]

_USUAL = {"access": "", "source": "note.md"}

PERSISTENT = Capability(
    "persistence (`persistent`)",
    "it is filled from the catalogue each time it is opened, which takes time and memory in every process",
    lambda kit: bool(getattr(kit.opened(), "persistent", True)),
)


class KeywordAbilities(Conformance):
    """Opens indexes that are empty, takes away afterwards what was written, and checks what one may do."""

    kind: ClassVar[str] = "keyword_index"
    needs_fresh_parts: ClassVar[bool] = True

    def make(self, folder: Path) -> KeywordIndex:
        """Return the index, opened: empty for a folder that it hasn't seen, else with what was written before.

        One that keeps its texts elsewhere than in the folder opens a collection that nothing else uses.

        Args:
            folder: The index's folder.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self, folder)`")

    def reach(self) -> None:
        """Open the index and ask it for something."""
        self.opened().search("anything", 1)

    def opened(self) -> Any:
        """Return the index, opened, of which it is known that it was empty before the check.

        Raises:
            ConfigError: If it holds something that the kit did not write.
        """
        index = self.make(self.folder)
        if not self._written and (held := list(index.ids())[:3]):
            raise ConfigError(
                f"the keyword index isn't empty: it holds {held!r}, and the checks would write among that. Name a "
                "collection or a folder that nothing else uses"
            )
        return index

    def filled(self, *texts: str) -> Any:
        """Return the opened index with these texts, each under its number."""
        index = self.opened()
        self.add(index, {str(number): text for number, text in enumerate(texts)})
        return index

    def add(
        self, index: Any, texts: Mapping[str, str], metadatas: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        """Add texts by their ids."""
        self._written.update(texts)
        index.add([*texts], [*texts.values()], [dict((metadatas or {}).get(each, _USUAL)) for each in texts])

    def found(
        self,
        index: Any,
        query: str,
        limit: int = 10,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - its name
    ) -> list[str]:
        """Return the ids that a query finds, best first."""
        given = {} if filter is None else {"filter": filter}
        return [each for each, _ in index.search(query, limit, **given)]

    @check(of=PERSISTENT, harm="the index seems empty in the next process")
    def test_what_was_written_is_there_when_it_is_opened_again(self) -> None:
        index = self.filled("apple", "cherry")
        index.delete(["1"])
        del index
        gc.collect()
        again = self.opened()
        found = [*self.found(again, "apple"), *self.found(again, "cherry")]
        expect(found == ["0"], "in an index opened again, what was written and not deleted", found)

    def teardown_method(self) -> None:
        """Delete what was written; pytest calls it by this name."""
        if self._written:
            with suppress(Exception):  # what cannot be deleted is what the check told
                self.make(self.folder).delete(sorted(self._written))
            gc.collect()
        super().teardown_method()

    @cached_property
    def _written(self) -> set[str]:
        return set()
