"""Small parts to build graphs from: searches and chat models whose behaviour is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage

from obsirag.records.places import Place, places_to_json
from obsirag.testing import ScriptedChatModel


def chunk(
    text: str,
    *,
    source: str = "note.md",
    line: int = 1,
    headings: Sequence[str] = (),
    score: float = 1.0,
    permissions: Sequence[str] = (),
    **metadata: Any,
) -> Document:
    """Return a chunk as retrieval gives it."""
    chunk_id = f"{source}#{line}"
    return Document(
        id=chunk_id,
        page_content=text,
        metadata={
            "source": source,
            "title": source.rpartition("/")[2].removesuffix(".md"),
            "headings": list(headings),
            "chunk_id": chunk_id,
            "score": score,
            "permissions": list(permissions),
            "places": places_to_json([Place(0, source, line, tuple(headings))]),
            **metadata,
        },
    )


@dataclass
class FakeSearch:
    """A search that gives what it was told to, and keeps what it was asked."""

    hits: Sequence[Document] = ()
    error: Exception | None = None
    asked: list[str] = field(default_factory=list)
    labels: list[tuple[str, ...]] = field(default_factory=list)
    filters: list[Mapping[str, Any] | None] = field(default_factory=list)

    def search(
        self,
        query: str,
        *,
        labels: Sequence[str] = (),
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - the name that retrievers use
        limit: int,
    ) -> list[Document]:
        self.asked.append(query)
        self.labels.append(tuple(labels))
        self.filters.append(filter)
        if self.error is not None:
            raise self.error
        return list(self.hits)[:limit]


class ScriptedChat(ScriptedChatModel):
    """Answers in one piece, and counts no tokens; of no answer at all, None comes back instead of a message."""

    counts_tokens: bool = False
    disable_streaming: bool = True

    def invoke(self, *args: Any, **kwargs: Any) -> Any:
        if self.answers == [None]:
            return None
        return super().invoke(*args, **kwargs)

    async def ainvoke(self, *args: Any, **kwargs: Any) -> Any:
        if self.answers == [None]:
            return None
        return await super().ainvoke(*args, **kwargs)


_TASKS = {
    "answer": ("You answer questions", "笔记回答问题"),
    "grade": ("You judge search results", "打分"),
    "rewrite": ("put the question in other words", "换一种说法"),
    "contextualise": ("You rewrite a question", "改写成"),
    "intent": ("You sort questions", "提出的问题分类"),
    "converse": ("What you get now is small talk", "现在收到的是闲聊"),
    "about_answer": ("You explain or reword an answer", "解释或改写之前给出的一个回答"),
    "terms": ("You match questions", "对应到"),
    "summarise": ("You sum up", "概括一段对话"),
    "compose": ("You join answers", "合成一段话"),
    "plan": ("You take questions apart", "你负责拆分问题"),
}


class ManyTasksChat(ScriptedChat):
    """A chat model with a script for each kind of task: the answers one after the other, the last one for ever."""

    scripts: dict[str, list[Any]]

    def _choose(self, messages: list[BaseMessage]) -> Any:
        task = task_of(messages)
        return self._next(task, self.scripts[task])

    def asked(self, task: str) -> list[str]:
        """Return the last messages of the prompts for a task."""
        return [str(each[-1].content) for each in self.prompts if task_of(each) == task]


def task_of(messages: Sequence[BaseMessage]) -> str:
    """Return what a prompt asks for."""
    system = str(messages[0].content)
    return next(task for task, words in _TASKS.items() if any(each in system for each in words))
