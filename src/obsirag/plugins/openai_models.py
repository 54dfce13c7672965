"""LangChain's OpenAI models, reading nothing from the environment and raising the project's errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import openai
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import PrivateAttr, SecretStr

from obsirag.errors import ServiceError
from obsirag.plugins.openai_faults import service_errors
from obsirag.plugins.openai_options import ChatOptions, EmbeddingOptions, ServerOptions
from obsirag.text import estimate_tokens

__all__ = ["CompatibleChatModel", "CompatibleEmbeddings", "make_chat_model", "make_embeddings"]

Boundary = Callable[[], AbstractContextManager[None]]


class CompatibleChatModel(ChatOpenAI):
    """A chat model of any server that speaks OpenAI's protocol."""

    _boundary: Boundary = PrivateAttr()

    # The signatures are LangChain's, which looks for a `run_manager` in them.
    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        with self._boundary():
            return super()._generate(messages, stop, run_manager, **kwargs)

    async def _agenerate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        with self._boundary():
            return await super()._agenerate(messages, stop, run_manager, **kwargs)

    def _stream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        with self._boundary():
            chunk = None
            for chunk in super()._stream(messages, stop, run_manager, **kwargs):
                yield chunk
            self._refuse_nothing(chunk)

    async def _astream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        with self._boundary():
            chunk = None
            async for chunk in super()._astream(messages, stop, run_manager, **kwargs):
                yield chunk
            self._refuse_nothing(chunk)

    def _should_stream(self, **kwargs: Any) -> bool:
        # A streamed answer that is parsed into a class makes pydantic warn inside LangChain.
        return not isinstance(kwargs.get("response_format"), type) and super()._should_stream(**kwargs)

    def _refuse_nothing(self, chunk: ChatGenerationChunk | None) -> None:
        if chunk is None:
            raise ValueError("no answer came")  # which the boundary around it translates


class CompatibleEmbeddings(OpenAIEmbeddings):
    """Embeddings of any server that speaks OpenAI's protocol."""

    model_id: str = ""
    input_limit: int | None = None
    batch_size: int = 32
    """Texts of one call, so that it is one request."""
    concurrency: int = 4
    """Calls at a time."""
    _boundary: Boundary = PrivateAttr()

    def input_length(self, text: str) -> int:
        """Return an estimate of a text's tokens that isn't below the true number."""
        return estimate_tokens(text)

    def embed_documents(self, texts: list[str], *args: Any, **kwargs: Any) -> list[list[float]]:
        """Return one vector for each text."""
        with self._boundary():
            return self._complete(texts, super().embed_documents(texts, *args, **kwargs))

    async def aembed_documents(self, texts: list[str], *args: Any, **kwargs: Any) -> list[list[float]]:
        """Return one vector for each text."""
        with self._boundary():
            return self._complete(texts, await super().aembed_documents(texts, *args, **kwargs))

    def _complete(self, texts: list[str], vectors: list[list[float]]) -> list[list[float]]:
        if len(vectors) != len(texts):
            raise ServiceError(
                f"embeddings {self.model!r} at {self.openai_api_base}: {len(vectors)} vectors came for "
                f"{len(texts)} texts; try a smaller `batch_size`"
            )
        return vectors


def make_chat_model(options: ChatOptions) -> CompatibleChatModel:
    """Return the chat model that ``options`` describe."""
    client, async_client = _make_clients(options)
    model = CompatibleChatModel(
        model=options.model,
        temperature=options.temperature,
        max_completion_tokens=options.max_tokens,
        streaming=options.streaming,
        stream_usage=options.is_openai,
        use_responses_api=False,
        root_client=client,
        client=client.chat.completions,
        root_async_client=async_client,
        async_client=async_client.chat.completions,
        **_settled(options),
    )
    model._boundary = lambda: service_errors("chat model", options.model, options.address)
    return model


def make_embeddings(options: EmbeddingOptions) -> CompatibleEmbeddings:
    """Return the embeddings that ``options`` describe."""
    client, async_client = _make_clients(options)
    shortened = f":{options.dimensions}" if options.dimensions else ""
    model = CompatibleEmbeddings(
        model=options.model,
        dimensions=options.dimensions,
        chunk_size=options.batch_size,
        batch_size=options.batch_size,
        # OpenAI's own tokenizer means nothing to other servers, and would be downloaded.
        check_embedding_ctx_length=options.is_openai,
        model_id=f"openai:{options.model}{shortened}",
        input_limit=options.input_limit or (8191 if options.is_openai else None),
        client=client.embeddings,
        async_client=async_client.embeddings,
        openai_api_type=None,
        openai_api_version=None,
        **_settled(options),
    )
    model._boundary = lambda: service_errors("embeddings", options.model, options.address)
    return model


def _settled(options: ServerOptions) -> dict[str, Any]:
    """Return what LangChain would otherwise look up in the environment."""
    return {"base_url": options.base_url, "api_key": SecretStr(_key(options)), "openai_proxy": None}


def _make_clients(options: ServerOptions) -> tuple[openai.OpenAI, openai.AsyncOpenAI]:
    timeout = openai.Timeout(options.read_timeout, connect=options.connect_timeout)
    settings: dict[str, Any] = {
        "base_url": options.base_url,
        "api_key": _key(options),
        "timeout": timeout,
        "max_retries": options.max_retries,
    }
    # Clients of our own: the default ones take proxies from the environment.
    client = openai.OpenAI(
        **settings, http_client=openai.DefaultHttpxClient(timeout=timeout, trust_env=options.trust_env)
    )
    async_client = openai.AsyncOpenAI(
        **settings, http_client=openai.DefaultAsyncHttpxClient(timeout=timeout, trust_env=options.trust_env)
    )
    for each in (client, async_client):
        each.organization = each.project = None  # both were looked up in the environment
    return client, async_client


def _key(options: ServerOptions) -> str:
    # OpenAI's client insists on a key; a server that needs none ignores it.
    return options.api_key.get_secret_value() if options.api_key else "none"
