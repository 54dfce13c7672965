"""Which model made something: the vectors of an index, an answer that is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_core.embeddings import Embeddings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["chat_model_id", "embedding_model_id"]

_NAMES = ("model_id", "model", "model_name", "deployment", "repo_id", "revision", "dimensions", "dimension", "size")


def embedding_model_id(embeddings: Embeddings) -> str:
    """Return a stable name of a model: its ``model_id``, else its class and what tells models of a class apart.

    Two models with the same name are taken to give the same vectors.
    """
    declared = getattr(embeddings, "model_id", None)
    if isinstance(declared, str) and declared:
        return declared
    return _told(embeddings)


def chat_model_id(chat_model: BaseChatModel) -> str:
    """Return a stable name of a chat model: its class and what tells models of a class apart."""
    return _told(chat_model)


def _told(model: object) -> str:
    kind = type(model)
    values = {name: getattr(model, name, None) for name in _NAMES}
    told = ", ".join(f"{name}={value}" for name, value in values.items() if isinstance(value, (str, int)))
    return f"{kind.__module__}.{kind.__qualname__}({told})"
