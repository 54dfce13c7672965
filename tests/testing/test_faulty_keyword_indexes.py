"""Faults that are planted into an index of words, each with the check that has to find it."""

# ruff: noqa: A002 - the name that stores use

from time import sleep

import pytest

from obsirag.testing import KeywordIndexConformance, run_conformance
from planted import assert_caught
from sample_parts import MemoryKeywords


class TreatsOperators(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        kept, _, out = query.partition(" NOT ")
        banned = {each for each, _ in super().search(out, 1000)} if out else set()
        return [each for each in super().search(kept, limit, filter=filter) if each[0] not in banned]


class StumblesOverSyntax(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        if query.count('"') % 2 or query.endswith(" OR"):
            raise SyntaxError("fts5: syntax error")
        return super().search(query, limit, filter=filter)


class ReadsFieldNames(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        field, colon, rest = query.partition(":")
        if colon and field.isalpha():
            return [each for each in super().search(rest, limit, filter=filter) if False]
        return super().search(query, limit, filter=filter)


class TakesStarsForBeginnings(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        if query.endswith("*"):
            with self._lock:
                return [
                    (each, 1.0)
                    for each, (terms, _) in self._texts.items()
                    if any(t.startswith(query[:-1]) for t in terms)
                ]
        return super().search(query, limit, filter=filter)


class IgnoresFilters(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        return super().search(query, limit)


class FiltersAfterwards(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        kept = {each for each, _ in super().search(query, 1000, filter=filter)}
        return [each for each in super().search(query, limit) if each[0] in kept]


class SplitsAtBlanksOnly(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        words = query.lower().split()
        return [
            each for each in super().search(query, limit, filter=filter) if any(w in self._raw(each[0]) for w in words)
        ]

    def add(self, ids, texts, metadatas):
        self.raw = {**getattr(self, "raw", {}), **dict(zip(ids, texts, strict=True))}
        super().add(ids, texts, metadatas)

    def _raw(self, name):
        return self.raw[name].lower().split()


class KnowsCases(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        return super().search(query, limit, filter=filter) if query == query.lower() else []


class TheWorstHitFirst(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        return super().search(query, limit, filter=filter)[::-1]


class LowScoresAreGood(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        return [(each, -score) for each, score in super().search(query, limit, filter=filter)]


class FindsEverythingForNothing(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        if not query.strip():
            return [(each, 0.0) for each in self.ids()][:limit]
        return super().search(query, limit, filter=filter)


class GivesFiveAtMost(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        return super().search(query, min(limit, 5), filter=filter)


class TakesShortQueries(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        if len(query.split()) > 256:
            raise ValueError("too many clauses")
        return super().search(query, limit, filter=filter)


class AddsToOldWords(MemoryKeywords):
    def add(self, ids, texts, metadatas):
        with self._lock:
            old = {each: self._texts[each][0] for each in ids if each in self._texts}
        super().add(ids, texts, metadatas)
        with self._lock:
            for each, terms in old.items():
                self._texts[each][0].extend(terms)


class KeepsTheOldAccess(MemoryKeywords):
    def add(self, ids, texts, metadatas):
        with self._lock:
            kept = [
                self._texts[each][1] if each in self._texts else new for each, new in zip(ids, metadatas, strict=True)
            ]
        super().add(ids, texts, kept)


class StumblesOverUnknownIds(MemoryKeywords):
    def delete(self, ids):
        for each in ids:
            del self._texts[each]


class WantsAList(MemoryKeywords):
    def delete(self, ids):
        super().delete(ids if len(ids) else [])


class ListsHundredIds(MemoryKeywords):
    def ids(self):
        return super().ids()[:100]


class ClaimsToBePersistent(MemoryKeywords):
    persistent = True


class SharesItsHits(MemoryKeywords):
    def search(self, query, limit, *, filter=None):
        self.hits = super().search(query, limit, filter=filter)
        sleep(0.005)
        return self.hits


class LocksWhileWriting(MemoryKeywords):
    busy = False

    def add(self, ids, texts, metadatas):
        self.busy = True
        super().add(ids, texts, metadatas)
        sleep(0.01)
        self.busy = False

    def search(self, query, limit, *, filter=None):
        for _ in range(3):
            if self.busy:
                raise RuntimeError("database is locked")
            sleep(0.002)
        return super().search(query, limit, filter=filter)


KEYWORDS = {
    TreatsOperators: "test_nothing_in_a_query_is_an_operator",
    StumblesOverSyntax: "test_nothing_in_a_query_is_an_operator",
    ReadsFieldNames: "test_nothing_in_a_query_is_an_operator",
    TakesStarsForBeginnings: "test_nothing_in_a_query_is_an_operator",
    IgnoresFilters: "test_a_filter_lets_through_what_it_names_and_nothing_else",
    FiltersAfterwards: "test_the_filter_is_part_of_the_search",
    SplitsAtBlanksOnly: "test_chinese_words_are_found_within_a_sentence",
    KnowsCases: "test_a_text_is_found_at_once_by_each_of_its_words",
    TheWorstHitFirst: "test_the_best_come_first",
    LowScoresAreGood: "test_the_best_come_first",
    FindsEverythingForNothing: "test_a_query_without_words_finds_nothing",
    GivesFiveAtMost: "test_no_more_come_than_were_asked_for",
    TakesShortQueries: "test_a_long_query_is_taken",
    AddsToOldWords: "test_a_known_id_is_replaced",
    KeepsTheOldAccess: "test_a_replaced_text_has_its_new_access",
    StumblesOverUnknownIds: "test_what_was_deleted_is_gone",
    WantsAList: "test_what_was_deleted_is_gone",
    ListsHundredIds: "test_all_ids_are_listed",
    ClaimsToBePersistent: "test_what_was_written_is_there_when_it_is_opened_again",
    SharesItsHits: "test_several_threads_may_search",
    LocksWhileWriting: "test_threads_may_write_and_search_together",
}


def kit(made):
    return type(made.__name__, (KeywordIndexConformance,), {"make": lambda *_: made()})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(MemoryKeywords)).conforms


@pytest.mark.parametrize(("fault", "check"), KEYWORDS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)
