"""What obsirag needs of a vector store."""

from __future__ import annotations

from functools import partial
from typing import Any

from langchain_core.documents import Document

from obsirag.testing.checks import check, expect
from obsirag.testing.hard_texts import HARD_TEXTS, LONG_TEXT
from obsirag.testing.vector_store_abilities import StoreAbilities

__all__ = ["VectorStoreConformance"]

_BATCH = 256
_WRONG_HITS = "questions are answered from notes that don't fit them"
_LEAKS = "a caller's search comes back with what they may not read, or without what they may"


class VectorStoreConformance(StoreAbilities):
    """Checks of a LangChain vector store; a subclass has the method :meth:`make`."""

    @check(harm="the first question to a new index fails")
    def test_an_empty_store_finds_nothing(self) -> None:
        found = self.near(self.opened(), "anything", 5)
        expect(found == [], "no hits from a store that nothing was written to", found)

    @check(harm="a note that was just indexed isn't found")
    def test_what_was_written_is_found_at_once(self) -> None:
        store = self.filled("alpha", "beta", "gamma")
        found = self.texts(self.near(store, "beta", 1))
        expect(found == ["beta"], "the text with the very vector that was asked for", found)

    @check(harm="hits cannot be matched with the catalogue, and every search fails")
    def test_hits_carry_the_ids_they_were_given(self) -> None:
        store = self.filled("alpha", "beta")
        found = [each.id for each in self.near(store, "beta", 1)]
        expect(found == [self.id_of("beta")], f"a document whose id is {self.id_of('beta')!r}", found)

    @check(harm=_WRONG_HITS)
    def test_the_nearest_come_first(self) -> None:
        names = [f"text {number}" for number in range(20)]
        store = self.filled(*names)
        found = self.texts(self.near(store, "text 7", 5))
        expected = sorted(names, key=lambda name: -self.cosine(name, "text 7"))[:5]
        expect(found[:1] == ["text 7"], "the nearest text first", found)
        # An approximate index may miss one, but not turn the order around.
        order = [self.cosine(name, "text 7") for name in found]
        expect(order == sorted(order, reverse=True), "hits in the order of their cosines, highest first", order)
        expect(len(set(found) & set(expected)) >= 4, f"the nearest texts {expected}", found)

    @check(harm="searches find too little, or cost more than they are to")
    def test_as_many_come_as_were_asked_for(self) -> None:
        store = self.filled(*(f"text {number}" for number in range(10)))
        for wanted, most in ((1, 1), (4, 4), (10, 10), (50, 10)):
            found = self.texts(self.near(store, "text 3", wanted))
            expect(len(found) == len(set(found)) == most, f"{most} different hits of 10 for k={wanted}", found)

    @check(harm="the texts that LangChain's chains read out of the store are cut off or garbled")
    def test_texts_come_back_as_they_were(self) -> None:
        texts = [*HARD_TEXTS.values(), LONG_TEXT, LONG_TEXT * 4]
        store = self.filled(*texts)
        for text in texts:
            found = self.texts(self.near(store, text, 1))
            expect(found == [text], f"{text[:60]!r} of {len(text)} characters", found[0] if found else found)

    @check(harm=_LEAKS)
    def test_metadata_come_back_as_they_were(self) -> None:
        store = self.opened()
        given = {name: {"access": f"[{name!r}]", "source": f"{text[:40]}.md"} for name, text in HARD_TEXTS.items()}
        self.add(store, {name: name for name in given}, given)
        for name, metadata in given.items():
            came = {key: value for key, value in self.near(store, name, 1)[0].metadata.items() if key in metadata}
            expect(came == metadata, f"the metadata {metadata}", came)

    @check(harm="a changed note is found in its old words, or twice")
    def test_a_known_id_is_replaced(self) -> None:
        store = self.opened()
        self.add(store, {"1": "old words", "2": "other"})
        self.add(store, {"1": "new words"})
        found = [(each.id, each.page_content) for each in self.near(store, "old words", 10)]
        expect(sorted(found) == [("1", "new words"), ("2", "other")], "one hit for each id, with its new text", found)
        first = self.texts(self.near(store, "new words", 1))
        expect(first == ["new words"], "the new text under its new vector", first)

    @check(harm=_LEAKS)
    def test_a_replaced_text_has_its_new_access(self) -> None:
        store = self.opened()
        self.add(store, {"1": "words"}, {"1": {"access": "open", "source": "a.md"}})
        self.add(store, {"1": "words"}, {"1": {"access": "secret", "source": "a.md"}})
        found = self.near(store, "words", 5, {"access": {"$in": ["open"]}})
        expect(found == [], "nothing under the access that the text had before", found)

    @check(harm="deleted notes stay among the hits and push living ones out")
    def test_what_was_deleted_is_gone(self) -> None:
        store = self.filled("alpha", "beta", "gamma")
        store.delete([self.id_of("alpha"), self.id_of("gamma")])
        found = self.texts(self.near(store, "alpha", 5))
        expect(found == ["beta"], "only what was not deleted", found)

    @check(harm="a sync that was killed cannot be finished")
    def test_deleting_what_is_not_there_is_no_error(self) -> None:
        store = self.filled("alpha")
        store.delete(["unknown", self.id_of("alpha")])
        store.delete(["unknown"])
        found = self.near(store, "alpha", 5)
        expect(found == [], "unknown ids passed over, and the known one deleted", found)

    @check(harm="a sync that has nothing to delete empties the store")
    def test_deleting_nothing_deletes_nothing(self) -> None:
        store = self.filled("alpha")
        store.delete([])
        found = self.texts(self.near(store, "alpha", 5))
        expect(found == ["alpha"], "everything still there after delete([])", found)

    @check(harm=_LEAKS)
    def test_a_filter_lets_through_what_it_names_and_nothing_else(self) -> None:
        store = self.opened()
        given = {
            f"{access} {source}": {"access": access, "source": source} for access in ("", "a", "b") for source in "xyz"
        }
        self.add(store, {name: name for name in given}, given)
        of_a: dict[str, Any] = {"access": {"$in": ["a"]}}
        cases: list[tuple[dict[str, Any], set[str]]] = [
            (of_a, {"a x", "a y", "a z"}),
            ({"access": {"$in": [""]}}, {" x", " y", " z"}),  # notes without labels have the access key ""
            ({"access": {"$in": ["", "b"]}}, {" x", " y", " z", "b x", "b y", "b z"}),
            ({"access": {"$in": ["unknown"]}}, set()),
            ({"access": {"$in": []}}, set()),
            ({"$and": [of_a, {"source": {"$in": ["x", "z"]}}]}, {"a x", "a z"}),
            ({"$and": [of_a, {"source": {"$in": ["unknown"]}}]}, set()),
            ({"source": {"$in": ["y", *(f"note {number}.md" for number in range(300))]}}, {" y", "a y", "b y"}),
        ]
        for wanted, expected in cases:
            found = set(self.texts(self.near(store, "a x", 20, wanted)))
            expect(found == expected, f"{sorted(expected)} for the filter {str(wanted)[:80]}", sorted(found))

    @check(harm=_LEAKS)
    def test_nothing_in_a_filter_is_an_operator(self) -> None:
        values = ["it's", 'a "b"', "a\\b", "50%", "a_b", "笔记/存档.md", "x' or '1'='1", '") or ("" in [""']
        store = self.opened()
        self.add(
            store, {value: value for value in values}, {value: {"access": value, "source": value} for value in values}
        )
        for value in values:
            for field in ("access", "source"):
                found = self.texts(self.near(store, "it's", 20, {field: {"$in": [value]}}))
                expect(found == [value], f"the one text whose {field} is {value!r}", found)

    @check(harm="a caller with few rights finds nothing, since hits are thrown away after they were counted")
    def test_the_filter_is_part_of_the_search(self) -> None:
        store = self.opened()
        names = [f"text {number}" for number in range(60)]
        far = sorted(names, key=lambda name: self.cosine(name, "text 0"))[:3]
        given = {name: {"access": "few" if name in far else "many", "source": "a.md"} for name in names}
        self.add(store, {name: name for name in names}, given)
        found = set(self.texts(self.near(store, "text 0", 3, {"access": {"$in": ["few"]}})))
        expect(
            found == set(far), f"the three texts that the filter admits, though they are the farthest ({far})", found
        )

    @check(harm="indexing fails, or loses chunks without a word")
    def test_a_whole_batch_is_taken(self) -> None:
        names = [f"text {number}" for number in range(_BATCH)]
        store = self.filled(*names)
        found = self.texts(self.near(store, "text 0", _BATCH))
        expect(
            len(set(found)) >= 0.98 * _BATCH, f"{_BATCH} texts after as many were added in one call", len(set(found))
        )

    @check(harm="two people who ask at the same time get errors, or each other's hits")
    def test_several_threads_may_search(self) -> None:
        names = [f"text {number}" for number in range(40)]
        store = self.filled(*names)

        def search(name: str) -> list[str]:
            return [self.texts(self.near(store, name, 1))[0] for _ in range(5)]

        asked = names[:: len(names) // 4][:4]
        came = self.side_by_side([partial(search, name) for name in asked])
        expect(came == [[name] * 5 for name in asked], "in each thread the hits of its own query", came)

    @check(harm="LangChain's own tools cannot use the store")
    def test_adding_returns_the_ids(self) -> None:
        store = self.opened()
        given = [Document(id=name, page_content=name, metadata={"access": "", "source": "a.md"}) for name in "ab"]
        came = self.added(store, given)
        expect(list(came) == ["a", "b"], "the ids that were given", came)
