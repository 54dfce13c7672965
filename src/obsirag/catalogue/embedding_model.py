"""Which embedding model an index was made with."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

__all__ = ["embedding_model_id"]

_NAMES = ("model_id", "model", "model_name", "deployment", "repo_id", "revision", "dimensions", "dimension", "size")


def embedding_model_id(embeddings: Embeddings) -> str:
    """Return a stable name of a model: its ``model_id``, else its class and what tells models of a class apart.

    Two models with the same name are taken to give the same vectors.
    """
    declared = getattr(embeddings, "model_id", None)
    if isinstance(declared, str) and declared:
        return declared
    kind = type(embeddings)
    values = {name: getattr(embeddings, name, None) for name in _NAMES}
    told = ", ".join(f"{name}={value}" for name, value in values.items() if isinstance(value, (str, int)))
    return f"{kind.__module__}.{kind.__qualname__}({told})"
