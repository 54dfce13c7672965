"""Faults that are planted into a reranker, each with the check that has to find it."""

import re
from time import sleep

import pytest
from langchain_core.documents import Document

from obsirag.testing import RerankerConformance, run_conformance
from planted import assert_caught
from sample_parts import WordReranker


class InventsPassages(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return [
            *super().compress_documents(documents, query),
            Document("invented", id="new", metadata={"chunk_id": "x"}),
        ]


class DropsAll(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return []


class DoublesPassages(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return [*super().compress_documents(documents, query)] * 2


class LosesPassageIds(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return [Document(each.page_content) for each in super().compress_documents(documents, query)]


class LosesPassageMetadata(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return [Document(each.page_content, id=each.id) for each in super().compress_documents(documents, query)]


class MergesEqualTexts(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        last = {each.page_content: each for each in documents}
        return [last[each.page_content] for each in documents]


class MutatesMetadata(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        for each in documents:
            each.metadata["rerank_score"] = 1.0
        return documents


class SortsInPlace(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        documents.reverse()
        return documents


class ScoresInText(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        for each in (came := [*super().compress_documents(documents, query)]):
            each.metadata["rerank_score"] = "0.5"
        return came


class ScoresTheWrongWay(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return [*super().compress_documents(documents, query)][::-1]


class DropsWhatIsTooMuch(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        return [*super().compress_documents(documents, query)][:10]


class GivesOneTextsForAll(WordReranker):
    def compress_documents(self, documents, query, callbacks=None):
        if len(documents) < 2:
            raise IndexError("a batch has at least two")
        return super().compress_documents(documents, query)


class StumblesOverMarks(WordReranker):
    def score(self, query, texts):
        return [float(bool(re.search(query, text))) for text in texts]


class FailsAsynchronously(WordReranker):
    async def acompress_documents(self, documents, query, callbacks=None):
        raise NotImplementedError


class SharesWhatItJudges(WordReranker):
    shared: object = None

    def compress_documents(self, documents, query, callbacks=None):
        self.shared = documents
        sleep(0.02)
        return super().compress_documents(self.shared, query)


RERANKERS = {
    InventsPassages: "test_what_comes_back_is_what_was_given",
    DropsAll: "test_what_comes_back_is_what_was_given",
    DoublesPassages: "test_what_comes_back_is_what_was_given",
    LosesPassageIds: "test_what_comes_back_is_what_was_given",
    LosesPassageMetadata: "test_what_comes_back_is_what_was_given",
    MergesEqualTexts: "test_equal_texts_are_kept_apart",
    MutatesMetadata: "test_what_is_given_stays_as_it_is",
    SortsInPlace: "test_what_is_given_stays_as_it_is",
    ScoresInText: "test_scores_fall_from_passage_to_passage",
    ScoresTheWrongWay: "test_scores_fall_from_passage_to_passage",
    DropsWhatIsTooMuch: "test_no_passage_is_left_out",
    GivesOneTextsForAll: "test_a_single_passage_comes_back",
    StumblesOverMarks: "test_hard_texts_are_taken",
    FailsAsynchronously: "test_asynchronous_calls_give_the_passages_too",
    SharesWhatItJudges: "test_several_threads_may_ask",
}


def kit(made):
    return type(made.__name__, (RerankerConformance,), {"make": lambda *_: made()})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(WordReranker)).conforms


@pytest.mark.parametrize(("fault", "check"), RERANKERS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)


def test_passages_that_are_left_out_are_no_fault_but_told():
    class LeavesOut(WordReranker):
        def compress_documents(self, documents, query, callbacks=None):
            return list(super().compress_documents(documents, query))[:2]

    report = run_conformance(kit(LeavesOut))
    assert report.conforms
    assert report.capabilities["all passages back"] == "absent"
