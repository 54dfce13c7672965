"""How the checks of embeddings ask them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from langchain_core.embeddings import Embeddings

from obsirag.testing.checks import expect
from obsirag.testing.conformance import Conformance

__all__ = ["SAMPLES", "EmbeddingsKit", "cosine"]

SAMPLES = [
    "The save system writes the player's progress into a slot on disk.",
    "Bread needs flour, water, salt, yeast and a hot oven.",
    "存档系统会在关卡切换时自动保存玩家的进度。",
    "Penguins breed on the ice of Antarctica in winter.",
    "量子计算机利用叠加态进行运算。",
]
"""Texts about unlike things."""


class EmbeddingsKit(Conformance):
    """Asks embeddings, and makes sure that what comes are vectors."""

    kind: ClassVar[str] = "embeddings"

    def make(self) -> Embeddings:
        """Return the embeddings."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def part(self) -> Any:
        """The embeddings."""
        return self.make()

    def reach(self) -> None:
        """Embed something."""
        self.part.embed_query(SAMPLES[0])

    @staticmethod
    def vectors_of(part: Any, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of texts, of which it is known that they are finite numbers."""
        came = [_vector(each) for each in part.embed_documents(list(texts))]
        expect(len(came) == len(texts), f"{len(texts)} vectors for as many texts", len(came))
        return came

    @staticmethod
    def vector_of(part: Any, text: str) -> list[float]:
        """Return the vector of a query, of which it is known that it is finite numbers."""
        return _vector(part.embed_query(text))


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors: 1 for two that are zero, 0 if one is or they aren't of one length."""
    if len(one) != len(other):
        return 0.0
    lengths = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    if not all(lengths):
        return float(lengths[0] == lengths[1])
    return float(np.dot(one, other)) / lengths[0] / lengths[1]


def _vector(given: Any) -> list[float]:
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty((0, 0))
    expect(numbers.ndim == 1 and np.isfinite(numbers).all(), "a list of finite numbers", str(given)[:80])
    came: list[float] = numbers.tolist()
    return came
