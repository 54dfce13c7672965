"""The embedding model as a vector store gets it."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

from obsirag.catalogue.catalogue import Catalogue
from obsirag.catalogue.content import content_hash
from obsirag.catalogue.embedding_model import embedding_model_id
from obsirag.catalogue.vectors import cached_vectors

__all__ = ["CachedEmbeddings"]


class CachedEmbeddings(Embeddings):
    """A model whose vectors come from the catalogue where it has them, so that no content is embedded twice.

    Args:
        embeddings: The model.
        catalogue: Where vectors are cached.
    """

    def __init__(self, embeddings: Embeddings, catalogue: Catalogue) -> None:
        self._embeddings = embeddings
        self._model_id = embedding_model_id(embeddings)
        self._catalogue = catalogue

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts, from the cache where it has them."""
        keys = [content_hash(text) for text in texts]
        with self._catalogue.reading() as connection:
            known = cached_vectors(connection, self._model_id, keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        vectors: dict[str, list[float]] = {key: vector.tolist() for key, vector in known.items()}
        if new:
            vectors.update(zip(new, self._embeddings.embed_documents(list(new.values())), strict=True))
        return [vectors[key] for key in keys]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question; questions are not cached."""
        return self._embeddings.embed_query(text)
