"""Chat models and embeddings of OpenAI, and of every server that speaks its protocol (llama.cpp, Ollama, vLLM …)."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from obsirag.errors import MissingExtraError
from obsirag.plugins.markers import hookimpl
from obsirag.plugins.openai_options import OPENAI_URL, ChatOptions, EmbeddingOptions

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel

__all__ = ["chat_model", "embeddings", "hosts", "requires"]


@hookimpl
def chat_model(options: dict[str, Any]) -> BaseChatModel:
    """Make a chat model."""
    checked = ChatOptions.parse(options, place="chat_model (openai)")
    _require("chat model 'openai'")
    from obsirag.plugins.openai_models import make_chat_model

    return make_chat_model(checked)


@hookimpl
def embeddings(options: dict[str, Any]) -> Embeddings:
    """Make embeddings."""
    checked = EmbeddingOptions.parse(options, place="embeddings (openai)")
    _require("embeddings 'openai'")
    from obsirag.plugins.openai_models import make_embeddings

    return make_embeddings(checked)


@hookimpl
def hosts(options: dict[str, Any]) -> list[str]:
    """Name the server."""
    return [str(options.get("base_url") or OPENAI_URL)]


def _require(part: str) -> None:
    if find_spec("langchain_openai") is None:
        raise MissingExtraError(part, "openai")


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return {"langchain_openai": "obsirag[openai]"}
