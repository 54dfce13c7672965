"""What obsirag needs of embeddings."""

from __future__ import annotations

from functools import partial

from obsirag.testing.checks import check, expect
from obsirag.testing.embeddings_abilities import EmbeddingsAbilities
from obsirag.testing.embeddings_kit import SAMPLES, cosine
from obsirag.testing.hard_texts import HARD_TEXTS, LONG_TEXT

__all__ = ["EmbeddingsConformance"]

_ALIKE = 0.99
"""Batches and devices round differently; what is meant is the same text, not the same bits."""
_UNREADABLE = "the index cannot be written"
_MIXED_UP = "chunks are found for what other chunks say"


class EmbeddingsConformance(EmbeddingsAbilities):
    """Checks of LangChain embeddings; a subclass has the method :meth:`make`."""

    @check(harm=_UNREADABLE)
    def test_each_text_gets_a_vector(self) -> None:
        vectors = self.vectors_of(self.part, SAMPLES)
        expect(len(vectors) == len(SAMPLES), f"{len(SAMPLES)} vectors for as many texts", len(vectors))

    @check(harm=_UNREADABLE)
    def test_all_vectors_have_one_length(self) -> None:
        sizes = [len(each) for text in SAMPLES[:3] for each in self.vectors_of(self.part, [text])]
        sizes += [len(self.vector_of(self.part, text)) for text in SAMPLES[:2]]
        sizes += [len(each) for each in self.vectors_of(self.part, SAMPLES)]
        expect(
            sizes[0] > 0 and len(set(sizes)) == 1,
            "vectors of one length, call by call, queries' too",
            sorted(set(sizes)),
        )

    @check(harm=_MIXED_UP)
    def test_vectors_come_in_the_order_of_the_texts(self) -> None:
        together = self.vectors_of(self.part, SAMPLES)
        for index, text in enumerate(SAMPLES):
            (alone,) = self.vectors_of(self.part, [text])
            near = cosine(alone, together[index])
            expect(
                near > _ALIKE, f"the same vector for {text!r} among others as alone (cosine 1)", f"cosine {near:.3f}"
            )

    @check(harm=_MIXED_UP)
    def test_more_texts_than_a_batch_keep_their_order(self) -> None:
        count = min(getattr(self.part, "batch_size", None) or 64, 64) + 3
        texts = [f"{SAMPLES[number % len(SAMPLES)]} ({number})" for number in range(count)]
        vectors = self.vectors_of(self.part, texts)
        expect(len(vectors) == count, f"{count} vectors for as many texts", len(vectors))
        for index in (0, count // 2, count - 1):
            (alone,) = self.vectors_of(self.part, [texts[index]])
            near = cosine(alone, vectors[index])
            expect(near > _ALIKE, f"text {index} of {count} with its own vector (cosine 1)", f"cosine {near:.3f}")

    @check(harm="an unchanged note seems another one, and the cache of vectors is of no use")
    def test_the_same_text_gets_the_same_vector(self) -> None:
        first, second = self.vectors_of(self.part, [SAMPLES[0]]), self.vectors_of(self.part, [SAMPLES[0]])
        near = cosine(first[0], second[0])
        expect(near > _ALIKE, "the same vector twice (cosine 1)", f"cosine {near:.3f}")

    @check(harm="every question finds the same notes")
    def test_other_texts_get_other_vectors(self) -> None:
        vectors = self.vectors_of(self.part, SAMPLES)
        pairs = [(one, two) for two in range(len(SAMPLES)) for one in range(two)]
        same = [(one, two) for one, two in pairs if cosine(vectors[one], vectors[two]) > 0.9999]
        expect(not same, "unlike texts with unlike vectors", f"the same one for texts {same}")

    @check(harm="questions don't find the notes that say what they ask for")
    def test_a_query_lies_nearest_to_the_text_that_says_the_same(self) -> None:
        vectors = self.vectors_of(self.part, SAMPLES)
        for index, text in enumerate(SAMPLES):
            query = self.vector_of(self.part, text)
            near = [cosine(query, each) for each in vectors]
            best = near.index(max(near))
            expect(best == index, f"{text!r} nearest to the query of the same words", f"{SAMPLES[best]!r}")

    @check(harm="notes that hold such text stay out of the index")
    def test_hard_texts_are_embedded(self) -> None:
        texts = [*HARD_TEXTS.values()]
        size = len(self.vector_of(self.part, SAMPLES[0]))
        vectors = self.vectors_of(self.part, texts)
        sizes = {name: len(vector) for name, vector in zip(HARD_TEXTS, vectors, strict=True)}
        expect(set(sizes.values()) == {size}, f"{size} numbers for each of them", sizes)
        for text in texts:
            expect(len(self.vector_of(self.part, text)) == size, f"{size} numbers for the query {text!r}", "others")

    @check(harm="long chunks stay out of the index")
    def test_a_long_chunk_is_embedded(self) -> None:
        limit, length = getattr(self.part, "input_limit", None), getattr(self.part, "input_length", None)
        text = LONG_TEXT
        while limit and callable(length) and length(text) > limit:  # obsirag cuts chunks to what the model reads
            text = text[: len(text) * 3 // 4]
        (vector,) = self.vectors_of(self.part, [text])
        expect(len(vector) > 0, f"a vector for a chunk of {len(text)} characters", vector)

    @check(harm="the notes after an empty one get each other's vectors")
    def test_an_empty_text_shifts_no_other(self) -> None:
        given = [SAMPLES[0], "", SAMPLES[1]]
        try:
            vectors = list(self.part.embed_documents(given))
        except Exception:  # noqa: BLE001 - to refuse it is fine, obsirag has no empty chunks
            return
        expect(len(vectors) == 3, "three vectors for three texts, or a refusal", len(vectors))
        (alone,) = self.vectors_of(self.part, [SAMPLES[1]])
        expect(cosine(alone, vectors[2]) > _ALIKE, "the text behind an empty one with its own vector", "another one")

    @check(harm="asynchronous questions fail, or find other notes")
    def test_asynchronous_calls_give_the_same(self) -> None:
        texts = SAMPLES[:3]

        async def ask() -> tuple[list[list[float]], list[float]]:
            return await self.part.aembed_documents(list(texts)), await self.part.aembed_query(texts[0])

        documents, query = self.run_async(ask)
        near = [cosine(*pair) for pair in zip(documents, self.vectors_of(self.part, texts), strict=True)]
        near.append(cosine(query, self.vector_of(self.part, texts[0])))
        expect(min(near) > _ALIKE, "the vectors of the synchronous calls (cosine 1)", f"cosines {near}")

    @check(harm="two people who ask at the same time get errors, or each other's hits")
    def test_several_threads_may_ask(self) -> None:
        texts = SAMPLES[:4]
        alone = [self.vector_of(self.part, text) for text in texts]

        def ask(text: str) -> list[list[float]]:
            return [self.vector_of(self.part, text) for _ in range(3)]

        calls = [partial(ask, text) for text in texts]
        for one, several in zip(alone, self.side_by_side(calls), strict=True):
            near = [cosine(one, each) for each in several]
            expect(min(near) > _ALIKE, "in each thread the vector of its own text (cosine 1)", f"cosines {near}")

    @check(harm="what is indexed differs from what was given")
    def test_what_is_given_stays_as_it_is(self) -> None:
        given = [*SAMPLES]
        self.part.embed_documents(given)
        expect(given == SAMPLES, "the list of texts as it was", given)
