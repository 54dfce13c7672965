"""What a vector store may have beside what it must."""

from __future__ import annotations

import gc
import warnings
from typing import Any

import numpy as np

from obsirag.catalogue import is_persistent
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.fake_embeddings import FakeEmbeddings
from obsirag.testing.store_kit import StoreKit

__all__ = ["StoreAbilities"]

_ROLES = {"access": "", "source": "note.md"}


def _has_method(name: str) -> Any:
    return lambda kit: callable(getattr(kit.opened(), name, None))


def _keeps_other_fields(kit: StoreKit) -> bool:
    store = kit.opened()
    kit.add(store, {"probe": "probe"}, {"probe": {**_ROLES, "extra": "1"}})
    kept = kit.near(store, "probe", 1)[0].metadata.get("extra") == "1"
    store.delete(["probe"])
    return kept


def _gets_by_ids(kit: StoreKit) -> bool:
    kit.filled("alpha").get_by_ids([kit.id_of("alpha")])
    return True


def _tells_relevance(kit: StoreKit) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kit.filled("alpha").similarity_search_with_relevance_scores("alpha", k=1)
    return True


PERSISTENT = Capability(
    "persistence (`persistent`)",
    "it is filled from the catalogue each time it is opened, which takes time and memory in every process",
    lambda kit: is_persistent(kit.opened()),
)
IDS = Capability(
    "a list of its ids (`ids`)",
    "after a fault all vectors are written anew, since nobody can tell which are missing",
    _has_method("ids"),
)
VECTORS = Capability(
    "known vectors (`add_vectors`)", "each vector takes a way round by the embeddings", _has_method("add_vectors")
)
RESET = Capability(
    "emptying (`reset`)",
    "a store that is bound to the length of its vectors has to be removed by hand before another model is used",
    _has_method("reset"),
)
BY_IDS = Capability(
    "documents by ids (`get_by_ids`)",
    "that it was emptied from outside is noticed by listing its ids only",
    _gets_by_ids,
)
OTHER_FIELDS = Capability(
    "other metadata", "only `access` and `source` come back; obsirag itself needs no more", _keeps_other_fields
)
RELEVANCE = Capability(
    "relevance scores",
    "LangChain's retrievers with a threshold cannot use it; obsirag reckons cosines itself",
    _tells_relevance,
)


class StoreAbilities(StoreKit):
    """Checks of what a store may have."""

    @check(of=PERSISTENT, harm="the index seems empty in the next process")
    def test_what_was_written_is_there_when_it_is_opened_again(self) -> None:
        store = self.filled("alpha", "beta")
        store.delete([self.id_of("alpha")])
        del store
        gc.collect()
        found = self.texts(self.near(self.opened(), "alpha", 5))
        expect(found == ["beta"], "in a store opened again, what was written and not deleted", found)

    @check(of=PERSISTENT, harm="those who ask while the vault is indexed get errors, or never see the new notes")
    def test_one_opened_after_a_writer_sees_what_it_wrote(self) -> None:
        reader = self.filled("alpha")
        found = self.texts(self.near(reader, "alpha", 5))
        writer = self.opened()
        self.add(writer, {"new": "beta"})
        del writer
        gc.collect()
        again = self.opened()
        del reader
        found = sorted(self.texts(self.near(again, "alpha", 5)))
        expect(found == ["alpha", "beta"], "what a second opening wrote, in a third one", found)

    @check(of=IDS, harm="a sync deletes what is needed, or leaves behind what isn't")
    def test_all_ids_are_listed(self) -> None:
        names = [f"text {number}" for number in range(600)]
        store = self.opened()
        for start in range(0, len(names), 200):
            self.add(store, {name: name for name in names[start : start + 200]})
        self.add(store, {names[0]: "in its place"})
        store.delete(names[1:3])
        came = list(store.ids())
        expected = [names[0], *names[3:]]
        expect(
            sorted(came) == sorted(expected),
            f"{len(expected)} ids, each once",
            f"{len(came)}, {len(set(came))} of them different",
        )

    @check(of=VECTORS, harm="chunks are found by vectors that aren't theirs")
    def test_given_vectors_are_used(self) -> None:
        store = self.opened()
        self.embeddings.asked.clear()
        self._add_vectors(store, {"1": "alpha", "2": "beta"}, of={"1": "beta", "2": "alpha"})
        expect(not self.embeddings.asked, "no text embedded whose vector was given", self.embeddings.asked)
        found = [(each.id, each.page_content) for each in self.near(store, "alpha", 1)]
        expect(found == [("2", "beta")], "the text that was added with this vector", found)

    @check(of=VECTORS, harm="a changed note is found in its old words, or twice, or under its old access")
    def test_given_vectors_take_the_place_of_a_known_id(self) -> None:
        store = self.opened()
        self._add_vectors(store, {"1": "old"}, access="open")
        self._add_vectors(store, {"1": "new"}, access="secret")
        found = [(each.page_content, each.metadata["access"]) for each in self.near(store, "old", 5)]
        expect(found == [("new", "secret")], "one hit with the new text and access", found)
        open_hits = self.near(store, "new", 5, {"access": {"$in": ["open"]}})
        expect(open_hits == [], "nothing under the access that the text had before", open_hits)

    @check(of=RESET, harm="an index cannot be rebuilt with another embedding model")
    def test_after_a_reset_it_takes_vectors_of_another_length(self) -> None:
        store = self.filled("alpha")
        store.reset()
        left = self.near(store, "alpha", 5)
        expect(left == [], "an empty store after a reset", left)
        self.__dict__["embeddings"] = FakeEmbeddings(dimensions=12)
        del store
        gc.collect()
        other = self.filled("beta")
        found = self.texts(self.near(other, "beta", 5))
        expect(found == ["beta"], "what was written after the reset, with vectors of 12 numbers", found)

    @check(of=BY_IDS, harm="a store that lost its vectors is taken for whole, or a whole one for lost")
    def test_documents_are_got_by_their_ids(self) -> None:
        store = self.filled("alpha", "beta")
        came = [(each.id, each.page_content) for each in store.get_by_ids([self.id_of("beta"), "unknown"])]
        expect(came == [(self.id_of("beta"), "beta")], "the known document once, the unknown one passed over", came)

    @check(of=OTHER_FIELDS, harm="fields that a note no longer has go on to be found")
    def test_metadata_are_replaced_whole(self) -> None:
        store = self.opened()
        self.add(store, {"1": "words"}, {"1": {**_ROLES, "extra": "old"}})
        self.add(store, {"1": "words"}, {"1": _ROLES})
        came = self.near(store, "words", 1)[0].metadata
        expect("extra" not in came, "no trace of the metadata that the id had before", came)

    @check(of=RELEVANCE, harm="a threshold keeps what fits worst, and throws away what fits best")
    def test_relevance_is_the_higher_the_nearer(self) -> None:
        store = self.filled(*(f"text {number}" for number in range(20)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # LangChain's own reckoning for cosines passes its bounds, and says so
            found = store.similarity_search_with_relevance_scores("text 7", k=20)
        scores = [score for _, score in found]
        expect(scores == sorted(scores, reverse=True), "scores that fall from hit to hit", scores)
        best = found[0]
        expect(
            best[0].page_content == "text 7" and best[1] > 0.99, "about 1 for the very text that was asked for", best
        )

    def _add_vectors(
        self, store: Any, texts: dict[str, str], *, of: dict[str, str] | None = None, access: str = ""
    ) -> None:
        self.note_written(list(texts))
        made = FakeEmbeddings().embed_documents([(of or texts)[each] for each in texts])
        store.add_vectors(
            ids=list(texts),
            texts=list(texts.values()),
            vectors=np.asarray(made, dtype=np.float32),
            metadatas=[{**_ROLES, "access": access} for _ in texts],
        )
