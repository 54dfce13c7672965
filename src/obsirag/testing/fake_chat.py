"""A chat model for tests, whose answers are written down."""

# ruff: noqa: ARG002 - the signatures are LangChain's, which looks for a `run_manager` in them

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field, PrivateAttr

from obsirag.text import estimate_tokens

__all__ = ["ScriptedChatModel"]

_PIECES = re.compile(r"\s*\S+|\s+\Z")


class ScriptedChatModel(BaseChatModel):
    """Gives the answers it was told to, and remembers what it was asked; safe in several threads.

    An answer is a text, or an exception, which is raised. One that is an ``AIMessage`` is given as it is.
    """

    answers: Sequence[Any] | Mapping[str, Any] | Callable[[list[BaseMessage]], Any]
    """A sequence is answered from in order, the last one for ever; a mapping by the first of its keys that stands in
    the prompt (``""`` stands in all), each with an answer or a sequence of them; a function gets the messages."""
    prompts: list[list[BaseMessage]] = Field(default_factory=list)
    """What it was asked, call by call."""
    model_name: str = "scripted"
    """What it is called in traces."""
    counts_tokens: bool = True
    """Whether answers tell how many tokens were read and written; they are estimates."""
    breaks_after: int | None = None
    """After how many pieces a streamed answer breaks off with a ConnectionError; None for never."""

    _lock: Any = PrivateAttr(default_factory=Lock)
    _given: dict[str, int] = PrivateAttr(default_factory=dict)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def asked(self, words: str = "") -> list[str]:
        """Return the texts of the prompts in which ``words`` stand, each with its messages one below the other."""
        with self._lock:
            texts = ["\n\n".join(message.text for message in prompt) for prompt in self.prompts]
        return [text for text in texts if words in text]

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages))])

    def _stream(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        answer = self._answer(messages)
        for number, piece in enumerate(_PIECES.findall(answer.text)):
            if number == self.breaks_after:
                raise ConnectionError("the answer broke off")
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece, id=answer.id))
            if run_manager is not None:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content="", usage_metadata=answer.usage_metadata, chunk_position="last", id=answer.id
            )
        )

    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        with self._lock:
            self.prompts.append(list(messages))
            answer = self._choose(messages)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, AIMessage):
            return answer.model_copy()
        message = AIMessage(answer)
        return (
            message.model_copy(update={"usage_metadata": _usage(messages, message)}) if self.counts_tokens else message
        )

    def _choose(self, messages: list[BaseMessage]) -> Any:
        if callable(self.answers):
            return self.answers(messages)
        if not isinstance(self.answers, Mapping):
            return self._next("", self.answers)
        prompt = "\n\n".join(message.text for message in messages)
        key = next((each for each in self.answers if each in prompt), None)
        if key is None:
            raise LookupError(
                f"there is no answer for this prompt, in which none of {[*self.answers]} stands: {prompt}"
            )
        return self._next(key, self.answers[key])

    def _next(self, key: str, answers: Any) -> Any:
        if not isinstance(answers, Sequence) or isinstance(answers, str):
            return answers
        if not answers:
            raise LookupError("no answers were given")
        number = self._given.get(key, 0)
        self._given[key] = number + 1
        return answers[min(number, len(answers) - 1)]


def _usage(messages: Sequence[BaseMessage], answer: AIMessage) -> UsageMetadata:
    read, written = sum(estimate_tokens(message.text) for message in messages), estimate_tokens(answer.text)
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
