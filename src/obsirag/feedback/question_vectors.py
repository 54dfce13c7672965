"""Vectors of questions, by which those in other words are found alike."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from langchain_core.embeddings import Embeddings

from obsirag.catalogue import Vector, embedding_model_id
from obsirag.errors import reason_of

__all__ = ["QuestionVector", "QuestionVectors", "cosine_of"]

_log = logging.getLogger(__name__)


class QuestionVector(NamedTuple):
    """The vector of a question.

    Args:
        model: The id of the model that made it; vectors of two models say nothing to each other.
        values: Its numbers; its length is 1.
    """

    model: str
    values: Vector


class QuestionVectors:
    """Makes the vectors of questions. Where that fails, they are compared by terms alone.

    Args:
        open_model: Opens the embedding model; called when a vector is first needed.
        min_cosine: From which cosine on two questions are alike.
    """

    def __init__(self, open_model: Callable[[], Embeddings], min_cosine: float) -> None:
        self.min_cosine = min_cosine
        self._open_model = open_model
        self._lock = threading.Lock()
        self._model: Embeddings | None = None

    def of(self, question: str) -> QuestionVector | None:
        """Return the vector of a question; None if there is none."""
        try:
            with self._lock:
                if self._model is None:
                    self._model = self._open_model()
            values = np.asarray(self._model.embed_query(question), dtype=np.float64)
            length = float(np.linalg.norm(values))
            if values.ndim != 1 or not np.isfinite(length) or not length:
                return None
            return QuestionVector(embedding_model_id(self._model), (values / length).astype(np.float32))
        except Exception as error:  # noqa: BLE001 - whatever a stranger's model does, terms are there
            _log.warning("a question has no vector (%s); marks count by terms alone", reason_of(error))
            return None


def cosine_of(one: QuestionVector | None, other: QuestionVector | None) -> float:
    """Return the cosine of two questions' vectors; -1 if they cannot be compared."""
    if one is None or other is None or one.model != other.model or one.values.shape != other.values.shape:
        return -1.0
    return float(np.dot(one.values, other.values))
