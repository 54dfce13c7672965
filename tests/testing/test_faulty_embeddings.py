"""Faults that are planted into embeddings, each with the check that has to find it."""

from threading import Lock
from time import sleep

import pytest

from obsirag.testing import EmbeddingsConformance, FakeEmbeddings, run_conformance
from planted import assert_caught


class OfAnotherLengthPerCall(FakeEmbeddings):
    calls = 0

    def embed_documents(self, texts):
        self.calls += 1
        return [each[: 32 - self.calls % 2] for each in super().embed_documents(texts)]


class QueriesOfAnotherLength(FakeEmbeddings):
    def embed_documents(self, texts):
        return [each[:16] for each in super().embed_documents(texts)]


class MixesUpTheOrder(FakeEmbeddings):
    def embed_documents(self, texts):
        return super().embed_documents(sorted(texts))


class MixesUpLongBatches(FakeEmbeddings):
    def embed_documents(self, texts):
        vectors = super().embed_documents(texts)
        return vectors if len(texts) < 50 else vectors[50:] + vectors[:50]


class PadsBatches(FakeEmbeddings):
    def embed_documents(self, texts):
        return [super(PadsBatches, self).embed_query(text if len(texts) == 1 else f"{text} [PAD]") for text in texts]


class DropsWhatIsTooMuch(FakeEmbeddings):
    def embed_documents(self, texts):
        return super().embed_documents(texts[:32])


class LeavesOutEmptyTexts(FakeEmbeddings):
    def embed_documents(self, texts):
        return super().embed_documents([text for text in texts if text.strip()])


class ThrowsDice(FakeEmbeddings):
    calls = 0

    def embed_query(self, text):
        self.calls += 1
        return super().embed_query(f"{text} {self.calls}")


class SaysAlwaysTheSame(FakeEmbeddings):
    def embed_query(self, text):
        return [1.0, *[0.0] * 31]


class QueriesFromAnotherSpace(FakeEmbeddings):
    def embed_documents(self, texts):
        return [super(QueriesFromAnotherSpace, self).embed_query(f"passage: {text}") for text in texts]


class NumbersThatAreNone(FakeEmbeddings):
    def embed_query(self, text):
        return [float("nan"), *super().embed_query(text)[1:]]


class ReadsAsciiOnly(FakeEmbeddings):
    def embed_query(self, text):
        return super().embed_query(text.encode("ascii").decode())


class ReadsShortTextsOnly(FakeEmbeddings):
    def embed_documents(self, texts):
        if any(len(text) > 1000 for text in texts):
            raise ValueError("input is too long")
        return super().embed_documents(texts)


class AnotherModelAsynchronously(FakeEmbeddings):
    async def aembed_query(self, text):
        return super().embed_query(f"query: {text}")


class NoAsynchronousCalls(FakeEmbeddings):
    async def aembed_query(self, text):
        raise NotImplementedError


class SharesItsBuffer(FakeEmbeddings):
    def embed_query(self, text):
        self.buffer = super().embed_query(text)
        sleep(0.005)
        return self.buffer


class SortsWhatItGets(FakeEmbeddings):
    def embed_documents(self, texts):
        vectors = super().embed_documents(texts)
        texts.sort()
        return vectors


class NotNormalisedForQueries(FakeEmbeddings):
    def embed_query(self, text):
        return [3 * each for each in super().embed_query(text)]

    def embed_documents(self, texts):
        return [super(NotNormalisedForQueries, self).embed_query(text) for text in texts]


class ANameThatChanges(FakeEmbeddings):
    @property
    def model_id(self):
        return f"model at {id(self)}"

    @model_id.setter
    def model_id(self, _):
        pass


class CountsNothing(FakeEmbeddings):
    input_limit = 512


class CountsTheSameForAll(FakeEmbeddings):
    input_limit = 512

    def input_length(self, text):
        return 10


class LimitsItDoesNotKeep(FakeEmbeddings):
    input_limit = 800
    input_length = staticmethod(len)

    def embed_documents(self, texts):
        if any(len(text) > 512 for text in texts):
            raise ValueError("input is too long")
        return super().embed_documents(texts)


class BatchesItDoesNotTake(FakeEmbeddings):
    batch_size = 64

    def embed_documents(self, texts):
        if len(texts) > 50:
            raise ValueError("too many inputs")
        return super().embed_documents(texts)


class OneCallAtATime(FakeEmbeddings):
    concurrency = 4

    def __init__(self):
        super().__init__()
        self.lock = Lock()

    def embed_documents(self, texts):
        if not self.lock.acquire(blocking=False):
            raise RuntimeError("already borrowed")
        try:
            sleep(0.01)
            return super().embed_documents(texts)
        finally:
            self.lock.release()


class AThresholdOfPercents(FakeEmbeddings):
    duplicate_threshold = 95


class AThresholdUnderAll(FakeEmbeddings):
    duplicate_threshold = -0.9


EMBEDDINGS = {
    OfAnotherLengthPerCall: "test_all_vectors_have_one_length",
    QueriesOfAnotherLength: "test_all_vectors_have_one_length",
    MixesUpTheOrder: "test_vectors_come_in_the_order_of_the_texts",
    MixesUpLongBatches: "test_more_texts_than_a_batch_keep_their_order",
    PadsBatches: "test_vectors_come_in_the_order_of_the_texts",
    DropsWhatIsTooMuch: "test_more_texts_than_a_batch_keep_their_order",
    LeavesOutEmptyTexts: "test_an_empty_text_shifts_no_other",
    ThrowsDice: "test_the_same_text_gets_the_same_vector",
    SaysAlwaysTheSame: "test_other_texts_get_other_vectors",
    QueriesFromAnotherSpace: "test_a_query_lies_nearest_to_the_text_that_says_the_same",
    NumbersThatAreNone: "test_each_text_gets_a_vector",
    ReadsAsciiOnly: "test_hard_texts_are_embedded",
    ReadsShortTextsOnly: "test_a_long_chunk_is_embedded",
    AnotherModelAsynchronously: "test_asynchronous_calls_give_the_same",
    NoAsynchronousCalls: "test_asynchronous_calls_give_the_same",
    SharesItsBuffer: "test_several_threads_may_ask",
    SortsWhatItGets: "test_what_is_given_stays_as_it_is",
    NotNormalisedForQueries: "test_all_vectors_have_length_1",
    ANameThatChanges: "test_its_name_stays_the_same",
    CountsNothing: "test_the_length_of_the_input_can_be_counted",
    CountsTheSameForAll: "test_the_length_of_the_input_can_be_counted",
    LimitsItDoesNotKeep: "test_a_text_as_long_as_the_limit_is_read",
    BatchesItDoesNotTake: "test_a_batch_of_its_size_is_taken",
    OneCallAtATime: "test_as_many_calls_at_a_time_are_taken",
    AThresholdOfPercents: "test_the_threshold_parts_what_is_alike_from_what_is_not",
    AThresholdUnderAll: "test_the_threshold_parts_what_is_alike_from_what_is_not",
}


def kit(made):
    return type(made.__name__, (EmbeddingsConformance,), {"make": lambda *_: made()})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(FakeEmbeddings)).conforms


@pytest.mark.parametrize(("fault", "check"), EMBEDDINGS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)
