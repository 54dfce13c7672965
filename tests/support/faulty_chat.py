"""A chat model that does each of the graph's tasks well, until a switch makes one of them fail."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from graph_fakes import task_of

__all__ = ["WORDS", "Broken", "FaultyChat", "Raw"]

# Neither good enough to answer at once nor to be dropped: so each question is put in other words once.
WORDS = {
    "contextualise": "How long is the respawn timer on hard?",
    "grade": '{"grades": [{"id": 1, "score": 0.6}, {"id": 2, "score": 0.6}, {"id": 3, "score": 0.6}]}',
    "rewrite": "How many seconds until a player respawns?",
    "intent": '{"kind": "knowledge", "confidence": 0.9}',
    "converse": "Hello to you too.",
    "about_answer": "It tells where the timer stands [1].",
    "terms": '{"terms": ["Respawn"]}',
    "plan": '{"parts": [{"question": "How long is the respawn timer?"}, {"question": "How does health regenerate?"}]}',
    "answer": "The respawn timer is given here [1]. There is more to it [2].",
    "compose": "The respawn timer is given here [1]. There is more to it [2].",
}


class Raw:
    """What the model's own methods return as it is, past LangChain."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Broken:
    """What comes of a stream before it breaks; a call that isn't streamed only breaks."""

    def __init__(self, text: str) -> None:
        self.text = text


class FaultyChat(BaseChatModel):
    """Answers by the task that a prompt asks for; the switch's parts are ``chat:`` and the task."""

    switch: Any
    prompts: list[list[BaseMessage]]

    @property
    def _llm_type(self) -> str:
        return "faulty"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return _result(self._given(messages))

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return _result(await self._agiven(messages))

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        yield from _pieces(self._given(messages))

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for piece in _pieces(await self._agiven(messages)):
            yield piece

    def invoke(self, input: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: A002 - LangChain's name
        if (raw := self._raw(input)) is not None:
            return self.switch.call(raw, lambda: None).value
        return super().invoke(input, *args, **kwargs)

    async def ainvoke(self, input: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: A002
        if (raw := self._raw(input)) is not None:
            return self.switch.call(raw, lambda: None).value
        return await super().ainvoke(input, *args, **kwargs)

    def stream(self, input: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:  # noqa: A002
        if (raw := self._raw(input)) is not None:
            yield self.switch.call(raw, lambda: None).value
            return
        yield from super().stream(input, *args, **kwargs)

    async def astream(self, input: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:  # noqa: A002
        if (raw := self._raw(input)) is not None:
            yield self.switch.call(raw, lambda: None).value
            return
        async for each in super().astream(input, *args, **kwargs):
            yield each

    def with_structured_output(self, *args: Any, **kwargs: Any) -> Any:
        if self.switch.part == "chat:structured":
            return self.switch.call("chat:structured", lambda: None)
        raise NotImplementedError

    def _raw(self, messages: Any) -> str | None:
        part = f"chat:{task_of(messages)}"
        return part if self.switch.part == part and isinstance(self.switch.fault, Raw) else None

    def _given(self, messages: list[BaseMessage]) -> Any:
        self.prompts.append(messages)
        task = task_of(messages)
        return self.switch.call(f"chat:{task}", lambda: WORDS[task])

    async def _agiven(self, messages: list[BaseMessage]) -> Any:
        self.prompts.append(messages)
        task = task_of(messages)
        return await self.switch.acall(f"chat:{task}", lambda: WORDS[task])


def _result(given: Any) -> ChatResult:
    if isinstance(given, Broken):
        raise ConnectionError("the connection broke")
    message = given if isinstance(given, BaseMessage) else AIMessage(given)
    return ChatResult(generations=[ChatGeneration(message=message)])


def _pieces(given: Any) -> Iterator[ChatGenerationChunk]:
    if isinstance(given, BaseMessage):
        yield ChatGenerationChunk(
            message=AIMessageChunk.model_construct(**dict(given) | {"type": "AIMessageChunk", "tool_call_chunks": []})
        )
        return
    text = given.text if isinstance(given, Broken) else given
    for start in range(0, len(text), 9) or [0]:
        yield ChatGenerationChunk(message=AIMessageChunk(text[start : start + 9]))
    if isinstance(given, Broken):
        raise ConnectionError("the connection broke")
