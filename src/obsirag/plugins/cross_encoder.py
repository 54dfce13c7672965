"""A cross-encoder from a folder on this machine as a reranker, by sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

import numpy as np
from pydantic import Field, PrivateAttr

from obsirag.config import ConfigModel
from obsirag.errors import ConfigError, MissingExtraError
from obsirag.plugins.markers import hookimpl
from obsirag.retrievers import ScoringReranker

__all__ = ["CrossEncoderOptions", "CrossEncoderReranker", "requires", "reranker"]

Size = Annotated[int, Field(strict=True, ge=1)]


class CrossEncoderOptions(ConfigModel):
    """What can be set for ``cross-encoder``."""

    path: Annotated[str, Field(strict=True, min_length=1)] = Field(description="The folder of the model.")
    max_length: Size = Field(default=512, description="How many tokens of question and passage together are read.")
    batch_size: Size = Field(default=16, description="How many passages are scored at a time.")
    device: str | None = Field(default=None, description="Where it computes, such as `cpu` or `cuda`.")


class CrossEncoderReranker(ScoringReranker):
    """Scores a passage with a model that reads it together with the question.

    The model is loaded with the first question, and can be used from several threads: one computes at a time.
    """

    options: CrossEncoderOptions
    """Which model, and how it is used."""
    _model: Any = PrivateAttr(default=None)
    _lock: Lock = PrivateAttr(default_factory=Lock)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return what the model gives each text, the higher the better.

        Raises:
            ConfigError: If the model gives something else than one number a pair.
        """
        with self._lock:
            given = self._loaded().predict(
                [(query, text) for text in texts], batch_size=self.options.batch_size, show_progress_bar=False
            )
        scores = np.asarray(given, dtype=np.float64)
        if scores.ndim == 2 and scores.shape[1] == 1:
            scores = scores[:, 0]
        if scores.ndim != 1:
            raise ConfigError(
                f"reranker (cross-encoder): the model in {self.options.path} gives {scores.shape[-1]} numbers a "
                "passage; a reranker gives one. Choose a model that was made for reranking"
            )
        numbers: list[float] = scores.tolist()
        return numbers

    def _loaded(self) -> Any:
        if self._model is None:
            from sentence_transformers import CrossEncoder

            self._model = CrossEncoder(
                str(Path(self.options.path).expanduser()),
                max_length=self.options.max_length,
                device=self.options.device,
                local_files_only=True,
            )
        return self._model


@hookimpl
def reranker(options: dict[str, Any]) -> CrossEncoderReranker:
    """Make a reranker of a cross-encoder."""
    checked = CrossEncoderOptions.parse(options, place="reranker (cross-encoder)")
    if find_spec("sentence_transformers") is None:
        raise MissingExtraError("reranker 'cross-encoder'", "cross-encoder")
    # What is no folder would be taken for a name on a server and downloaded.
    if not Path(checked.path).expanduser().is_dir():
        raise ConfigError(
            f"reranker (cross-encoder): there is no folder {checked.path}: give the path of a folder that holds the "
            "model, relative to the working directory if it isn't whole"
        )
    return CrossEncoderReranker(options=checked)


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return {"sentence_transformers": "obsirag[cross-encoder]"}
