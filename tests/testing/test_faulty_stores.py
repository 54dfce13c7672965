"""Faults that are planted into a store, each with the check that has to find it."""

# ruff: noqa: A002 - the name that stores use

from collections import Counter
from threading import get_ident
from time import sleep

import numpy as np
import pytest

from obsirag.plugins.memory import MemoryVectorStore
from obsirag.testing import VectorStoreConformance, run_conformance
from planted import assert_caught


class Store(MemoryVectorStore):
    """The store that faults are planted into: as it is, it conforms."""


class IgnoresFilters(Store):
    def _search(self, embedding, k, filter):
        return super()._search(embedding, k, None)


class FiltersAfterwards(Store):
    def _search(self, embedding, k, filter):
        admitted = {document.id for document, _ in super()._search(embedding, 1000, filter)}
        return [hit for hit in super()._search(embedding, k, None) if hit[0].id in admitted]


class KnowsOneConditionOnly(Store):
    def _search(self, embedding, k, filter):
        return super()._search(embedding, k, filter["$and"][0] if filter and "$and" in filter else filter)


class TakesNoneForAll(Store):
    def _search(self, embedding, k, filter):
        is_empty = filter is not None and any(condition == {"$in": []} for condition in filter.values())
        return super()._search(embedding, k, None if is_empty else filter)


class PutsFiltersIntoWords(Store):
    def _search(self, embedding, k, filter):
        values = [value for each in (filter or {}).values() if isinstance(each, dict) for value in each["$in"]]
        if any("'" in value for value in values):
            raise SyntaxError("unterminated string")
        return super()._search(embedding, k, filter)


class CutsLongFilters(Store):
    def _search(self, embedding, k, filter):
        cut = (
            {field: {"$in": each["$in"][-100:]} for field, each in filter.items() if "$in" in each} if filter else None
        )
        return super()._search(embedding, k, cut)


class LosesIds(Store):
    def _search(self, embedding, k, filter):
        return [
            (document.model_copy(update={"id": None}), score)
            for document, score in super()._search(embedding, k, filter)
        ]


class MakesIdsOfItsOwn(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        return super().add_texts(texts, metadatas, ids=None)


class AppendsInsteadOfReplacing(Store):
    def __init__(self, *args):
        super().__init__(*args)
        self.times = Counter()

    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        self.times.update(ids)
        super().add_texts(texts, metadatas, ids=[f"{each}#{self.times[each]}" for each in ids])
        return ids

    def _search(self, embedding, k, filter):
        found = super()._search(embedding, k, filter)
        return [
            (document.model_copy(update={"id": document.id.rpartition("#")[0]}), score) for document, score in found
        ]

    def delete(self, ids=None, **kwargs):
        return super().delete([each for each in self.ids() if each.rpartition("#")[0] in (ids or ())])


class KeepsTheOldWhereItIsKnown(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        new = [number for number, each in enumerate(ids) if each not in self._entries]
        super().add_texts(
            [list(texts)[number] for number in new],
            [metadatas[number] for number in new],
            ids=[ids[number] for number in new],
        )
        return ids


class MergesMetadata(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        old = [dict(self._entries[each].metadata) if each in self._entries else {} for each in ids]
        return super().add_texts(texts, [{**one, **two} for one, two in zip(old, metadatas, strict=True)], ids=ids)


class KeepsTheOldAccess(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        old = [dict(self._entries[each].metadata) if each in self._entries else {} for each in ids]
        return super().add_texts(texts, [{**two, **one} for one, two in zip(old, metadatas, strict=True)], ids=ids)


class TruncatesTexts(Store):
    def _search(self, embedding, k, filter):
        found = super()._search(embedding, k, filter)
        return [(each.model_copy(update={"page_content": each.page_content[:1000]}), score) for each, score in found]


class FoldsBlanks(Store):
    def _search(self, embedding, k, filter):
        found = super()._search(embedding, k, filter)
        return [
            (each.model_copy(update={"page_content": " ".join(each.page_content.split())}), score)
            for each, score in found
        ]


class EmptyTextForNothing(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        return super().add_texts(texts, [{**each, "access": each["access"] or "none"} for each in metadatas], ids=ids)


class IsBoundToAThread(Store):
    def __init__(self, *args):
        super().__init__(*args)
        self.thread = get_ident()

    def _search(self, embedding, k, filter):
        if get_ident() != self.thread:
            raise RuntimeError("objects created in a thread can only be used in that same thread")
        return super()._search(embedding, k, filter)


class SharesItsCursor(Store):
    def _search(self, embedding, k, filter):
        self.cursor = super()._search(embedding, k, filter)
        sleep(0.005)
        return self.cursor


class TheFarthestFirst(Store):
    def _search(self, embedding, k, filter):
        return super()._search([-each for each in embedding], k, filter)


class InAnyOrder(Store):
    def _search(self, embedding, k, filter):
        return sorted(super()._search(embedding, k, filter), key=lambda hit: hit[0].id)


class GivesFourAtMost(Store):
    def _search(self, embedding, k, filter):
        return super()._search(embedding, min(k, 4), filter)


class ShowsWhatWasWrittenLater(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        before = getattr(self, "waiting", None)
        self.waiting = (list(texts), metadatas, ids)
        if before:
            super().add_texts(before[0], before[1], ids=before[2])
        return ids


class DoesNotDelete(Store):
    def delete(self, ids=None, **kwargs):
        return True


class StumblesOverUnknownIds(Store):
    def delete(self, ids=None, **kwargs):
        for each in ids or ():
            if each not in self._entries:
                raise KeyError(each)
        return super().delete(ids)


class NothingMeansEverything(Store):
    def delete(self, ids=None, **kwargs):
        return super().delete(ids or self.ids())


class TakesTenAtATime(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        super().add_texts(list(texts)[:100], metadatas[:100], ids=ids[:100])
        return ids


class StumblesWhereItIsEmpty(Store):
    def _search(self, embedding, k, filter):
        if not self._entries:
            raise ValueError("no such collection")
        return super()._search(embedding, k, filter)


class ReturnsNoIds(Store):
    def add_texts(self, texts, metadatas=None, *, ids=None, **kwargs):
        super().add_texts(texts, metadatas, ids=ids)


class GivesDistancesAsRelevance(Store):
    def similarity_search_with_relevance_scores(self, query, k=4, **kwargs):
        return [(document, 1 - score) for document, score in self.similarity_search_with_score(query, k)]


class ClaimsToBePersistent(Store):
    persistent = True


class ListsHundredIds(Store):
    def ids(self):
        return super().ids()[:100]


class ListsDeletedIds(Store):
    def delete(self, ids=None, **kwargs):
        self.deleted = [*getattr(self, "deleted", []), *(ids or ())]
        return super().delete(ids)

    def ids(self):
        return [*super().ids(), *getattr(self, "deleted", [])]


class EmbedsWhatIsKnown(Store):
    def add_vectors(self, ids, texts, vectors, metadatas):
        super().add_vectors(ids, texts, np.asarray(self._embedding.embed_documents(list(texts))), metadatas)


class AppendsVectors(Store):
    """Under the same id, but with its old access."""

    def add_vectors(self, ids, texts, vectors, metadatas):
        old = [dict(self._entries[each].metadata) if each in self._entries else {} for each in ids]
        super().add_vectors(ids, texts, vectors, [{**two, **one} for one, two in zip(old, metadatas, strict=True)])


class ResetsNothing(Store):
    def reset(self):
        pass


class GetsAllForUnknownIds(Store):
    def get_by_ids(self, ids, /):
        known = [each for each in ids if each in self._entries]
        return super().get_by_ids(known if len(known) == len(ids) else self.ids())


FAULTS = {
    IgnoresFilters: "test_a_filter_lets_through_what_it_names_and_nothing_else",
    FiltersAfterwards: "test_the_filter_is_part_of_the_search",
    KnowsOneConditionOnly: "test_a_filter_lets_through_what_it_names_and_nothing_else",
    TakesNoneForAll: "test_a_filter_lets_through_what_it_names_and_nothing_else",
    PutsFiltersIntoWords: "test_nothing_in_a_filter_is_an_operator",
    CutsLongFilters: "test_a_filter_lets_through_what_it_names_and_nothing_else",
    LosesIds: "test_hits_carry_the_ids_they_were_given",
    MakesIdsOfItsOwn: "test_hits_carry_the_ids_they_were_given",
    AppendsInsteadOfReplacing: "test_a_known_id_is_replaced",
    KeepsTheOldWhereItIsKnown: "test_a_known_id_is_replaced",
    MergesMetadata: "test_metadata_are_replaced_whole",
    KeepsTheOldAccess: "test_a_replaced_text_has_its_new_access",
    TruncatesTexts: "test_texts_come_back_as_they_were",
    FoldsBlanks: "test_texts_come_back_as_they_were",
    EmptyTextForNothing: "test_a_filter_lets_through_what_it_names_and_nothing_else",
    IsBoundToAThread: "test_several_threads_may_search",
    SharesItsCursor: "test_several_threads_may_search",
    TheFarthestFirst: "test_the_nearest_come_first",
    InAnyOrder: "test_the_nearest_come_first",
    GivesFourAtMost: "test_as_many_come_as_were_asked_for",
    ShowsWhatWasWrittenLater: "test_what_was_written_is_found_at_once",
    DoesNotDelete: "test_what_was_deleted_is_gone",
    StumblesOverUnknownIds: "test_deleting_what_is_not_there_is_no_error",
    NothingMeansEverything: "test_deleting_nothing_deletes_nothing",
    TakesTenAtATime: "test_a_whole_batch_is_taken",
    StumblesWhereItIsEmpty: "test_an_empty_store_finds_nothing",
    ReturnsNoIds: "test_adding_returns_the_ids",
    GivesDistancesAsRelevance: "test_relevance_is_the_higher_the_nearer",
    ClaimsToBePersistent: "test_what_was_written_is_there_when_it_is_opened_again",
    ListsHundredIds: "test_all_ids_are_listed",
    ListsDeletedIds: "test_all_ids_are_listed",
    EmbedsWhatIsKnown: "test_given_vectors_are_used",
    AppendsVectors: "test_given_vectors_take_the_place_of_a_known_id",
    ResetsNothing: "test_after_a_reset_it_takes_vectors_of_another_length",
    GetsAllForUnknownIds: "test_documents_are_got_by_their_ids",
}


def kit(made):
    return type(made.__name__, (VectorStoreConformance,), {"make": lambda _, embeddings, folder: made(embeddings)})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(Store)).conforms


@pytest.mark.parametrize(("fault", "check"), FAULTS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)
