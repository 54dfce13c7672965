"""An answer that is read while it is made, through LangGraph's stream mode ``messages``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from typing import Any

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, BaseMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from langgraph.constants import TAG_NOSTREAM

from obsirag.graphs.release import Release

__all__ = ["QUIETLY", "ahear", "hear", "is_read", "say"]

QUIETLY: RunnableConfig = {"tags": [TAG_NOSTREAM]}
"""With this, what a model says is not for the reader."""


class _Speaker(BaseChatModel):
    """Says what it is given, piece by piece: LangGraph streams what chat models say."""

    message_id: str
    pieces: Any

    @property
    def _llm_type(self) -> str:
        return "obsirag-speaker"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:  # noqa: ARG002
        message = AIMessage("".join(self.pieces), id=self.message_id)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:  # noqa: ARG002
        for piece in self.pieces:
            yield self._chunk(piece)
        yield self._end()

    async def _astream(
        self,
        messages: list[BaseMessage],  # noqa: ARG002
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> AsyncIterator[ChatGenerationChunk]:
        async for piece in self.pieces:
            yield self._chunk(piece)
        yield self._end()

    def _chunk(self, piece: str) -> ChatGenerationChunk:
        return ChatGenerationChunk(message=AIMessageChunk(content=piece, id=self.message_id))

    def _end(self) -> ChatGenerationChunk:
        # Otherwise LangChain makes an end, under an id of its own.
        return ChatGenerationChunk(message=AIMessageChunk(content="", id=self.message_id, chunk_position="last"))


def is_read() -> bool:
    """Say whether somebody reads what chat models say in this run as it comes."""
    with suppress(ImportError):
        from langchain_core.tracers._streaming import _StreamingCallbackHandler

        given = ensure_config().get("callbacks") or []
        handlers = given.handlers if isinstance(given, BaseCallbackManager) else given
        return any(isinstance(each, _StreamingCallbackHandler) for each in handlers)
    return False


def say(text: str, message_id: str) -> None:
    """Let the reader have a text as a part of a message."""
    _Speaker(message_id=message_id, pieces=[text]).invoke([])


def hear(model: BaseChatModel, messages: Sequence[BaseMessage], release: Release) -> BaseMessage | None:
    """Return a model's answer, and let the reader have what of it is released as it comes."""
    heard: list[BaseMessage] = []

    def pieces() -> Iterator[str]:
        for chunk in model.stream(list(messages), QUIETLY):
            _join(heard, chunk)
            if piece := release.feed(_text(heard)):
                yield piece
            if release.is_over:
                break
        if piece := release.finish(_text(heard)):
            yield piece

    coming = pieces()
    first = next(coming, None)
    if first is not None:
        _Speaker(message_id=release.message_id, pieces=_joined(first, coming)).invoke([])
    return heard[0] if heard else None


async def ahear(model: BaseChatModel, messages: Sequence[BaseMessage], release: Release) -> BaseMessage | None:
    """Do what ``hear`` does, without holding up the event loop."""
    heard: list[BaseMessage] = []

    async def pieces() -> AsyncIterator[str]:
        async for chunk in model.astream(list(messages), QUIETLY):
            _join(heard, chunk)
            if piece := release.feed(_text(heard)):
                yield piece
            if release.is_over:
                break
        if piece := release.finish(_text(heard)):
            yield piece

    coming = pieces()
    first = await anext(coming, None)
    if first is not None:
        await _Speaker(message_id=release.message_id, pieces=_ajoined(first, coming)).ainvoke([])
    return heard[0] if heard else None


def _join(heard: list[BaseMessage], chunk: Any) -> None:
    """Add what came to what was heard: a chunk, or a message of a model that says all at once."""
    if isinstance(chunk, BaseMessageChunk) and heard:
        before: Any = heard[0]
        heard[0] = before + chunk
    elif isinstance(chunk, BaseMessage):
        heard[:] = [chunk]


def _text(heard: Sequence[BaseMessage]) -> str:
    return heard[0].text if heard else ""


def _joined(first: str, others: Iterator[str]) -> Iterator[str]:
    yield first
    yield from others


async def _ajoined(first: str, others: AsyncIterator[str]) -> AsyncIterator[str]:
    yield first
    async for other in others:
        yield other
