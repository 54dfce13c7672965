"""What embeddings may declare or do beside what they must."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.embeddings_kit import SAMPLES, EmbeddingsKit, cosine
from obsirag.testing.hard_texts import HARD_TEXTS, LONG_TEXT

__all__ = ["EmbeddingsAbilities"]

_NEARLY_ONE = 1e-2


def _declares(name: str) -> Any:
    return lambda kit: getattr(kit.part, name, None) is not None


def _is_unit(vector: list[float]) -> bool:
    return abs(float(np.linalg.norm(vector)) - 1) < _NEARLY_ONE


MODEL_ID = Capability(
    "a stable name (`model_id`)",
    "its class and attributes such as `model` stand for it: another model may go unnoticed, or the same one be refused",
    lambda kit: bool(getattr(kit.part, "model_id", None)),
)
INPUT_LIMIT = Capability(
    "the length of its input (`input_limit`, `input_length`)",
    "chunks may be longer than what the model reads, and their ends are never found",
    _declares("input_limit"),
)
BATCH_SIZE = Capability(
    "its own size of a batch (`batch_size`)",
    "it gets as many texts at a time as the configuration says",
    _declares("batch_size"),
)
CONCURRENCY = Capability(
    "several calls at a time (`concurrency`)",
    "indexing asks it for one batch after the other",
    _declares("concurrency"),
)
THRESHOLD = Capability(
    "a threshold for near-duplicates (`duplicate_threshold`)",
    "the cosine .95 is taken",
    _declares("duplicate_threshold"),
)
OWN_ASYNC = Capability(
    "asynchronous calls of its own",
    "each asynchronous question occupies a thread while it is embedded",
    lambda kit: type(kit.part).aembed_query is not Embeddings.aembed_query,
)
UNIT_LENGTH = Capability(
    "vectors of length 1",
    "stores that compare by inner product rank wrongly",
    lambda kit: all(_is_unit(each) for each in kit.part.embed_documents([SAMPLES[0], SAMPLES[1]])),
)


class EmbeddingsAbilities(EmbeddingsKit):
    """Checks of what embeddings may declare or do."""

    @check(of=MODEL_ID, harm="the index is refused in the next run, as one of another model")
    def test_its_name_stays_the_same(self) -> None:
        again: Any = self.make()
        names = [self.part.model_id, again.model_id]
        expect(isinstance(names[0], str) and names[0] == names[1], "the same text each time they are made", names)

    @check(of=INPUT_LIMIT, harm="chunks are cut to a wrong length, or not at all")
    def test_the_length_of_the_input_can_be_counted(self) -> None:
        limit: Any = self.part.input_limit
        length: Any = getattr(self.part, "input_length", None)
        expect(isinstance(limit, int) and limit > 0, "an `input_limit` that is a whole number over 0", limit)
        expect(callable(length), "`input_length(text)` beside `input_limit`, in the same unit", length)
        lengths = [length(LONG_TEXT[:size]) for size in (1, 20, 200, 1000)]
        expect(all(isinstance(each, int) for each in lengths), "whole numbers", lengths)
        expect(lengths == sorted(lengths) and lengths[-1] > lengths[0], "more for a longer text", lengths)

    @check(of=INPUT_LIMIT, harm="the longest chunks stay out of the index")
    def test_a_text_as_long_as_the_limit_is_read(self) -> None:
        limit, length = self.part.input_limit, self.part.input_length
        text = LONG_TEXT * 3
        while length(text) > limit:
            text = text[: len(text) * 9 // 10]
        (vector,) = self.vectors_of(self.part, [text])
        expect(len(vector) > 0, f"a vector for a text of length {length(text)}, where the limit is {limit}", vector)

    @check(of=BATCH_SIZE, harm="indexing fails with its first batch")
    def test_a_batch_of_its_size_is_taken(self) -> None:
        size = self.part.batch_size
        expect(isinstance(size, int) and size > 0, "a `batch_size` that is a whole number over 0", size)
        count = min(size, 256)
        vectors = self.vectors_of(self.part, [f"note {number}" for number in range(count)])
        expect(len(vectors) == count, f"{count} vectors for as many texts", len(vectors))

    @check(of=CONCURRENCY, harm="indexing fails, or chunks get each other's vectors")
    def test_as_many_calls_at_a_time_are_taken(self) -> None:
        count = self.part.concurrency
        expect(isinstance(count, int) and count > 0, "a `concurrency` that is a whole number over 0", count)
        texts = [SAMPLES[number % len(SAMPLES)] for number in range(min(count, 16))]
        came = self.side_by_side([partial(self.vectors_of, self.part, [text]) for text in texts])
        near = [cosine(*given, *self.vectors_of(self.part, [text])) for text, given in zip(texts, came, strict=True)]
        expect(min(near) > 0.99, "for each call the vector of its own text (cosine 1)", f"cosines {near}")

    @check(of=THRESHOLD, harm="notes that say the same stay double, or unlike ones become one")
    def test_the_threshold_parts_what_is_alike_from_what_is_not(self) -> None:
        threshold = self.part.duplicate_threshold
        is_cosine = isinstance(threshold, int | float) and -1 <= threshold <= 1
        expect(is_cosine, "a cosine, from -1 to 1", threshold)
        vectors = self.vectors_of(self.part, SAMPLES[:2])
        unlike = cosine(*vectors)
        expect(unlike <= threshold, f"unlike texts under the threshold {threshold}", f"cosine {unlike:.3f}")

    @check(of=OWN_ASYNC, harm="asynchronous questions fail where several are asked at once")
    def test_several_asynchronous_calls_run_together(self) -> None:
        async def ask() -> list[list[float]]:
            return list(await asyncio.gather(*(self.part.aembed_query(text) for text in SAMPLES[:3])))

        near = [
            cosine(each, self.vector_of(self.part, text))
            for text, each in zip(SAMPLES, self.run_async(ask), strict=False)
        ]
        expect(min(near) > 0.99, "for each call the vector of its own text (cosine 1)", f"cosines {near}")

    @check(of=UNIT_LENGTH, harm="some notes are found before all others, whatever is asked")
    def test_all_vectors_have_length_1(self) -> None:
        texts = [*SAMPLES, *HARD_TEXTS.values(), " ".join(SAMPLES)]
        vectors = dict(zip(texts, self.vectors_of(self.part, texts), strict=True))
        vectors |= {f"query {text}": self.vector_of(self.part, text) for text in SAMPLES}
        # A text that says nothing to a model may have the vector zero.
        wrong = {
            text[:40]: float(np.linalg.norm(each)) for text, each in vectors.items() if any(each) and not _is_unit(each)
        }
        expect(not wrong, "length 1 for all, as the first ones have it", wrong)
