"""What a reader gets of an answer while it is made: the final answer, once, and as soon as it was checked."""

import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag.config import BudgetOptions
from obsirag.graphs.citation_check import CitationCheck
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.release import Release

QUESTION = {"messages": [("user", "How long is the respawn timer?")]}
HITS = [chunk("The respawn timer is 8 seconds.", source="a.md"), chunk("Health is 5.", source="b.md", score=0.5)]


class TokenChat(ScriptedChat):
    """Streams its answers in pieces of a few characters; ``💥`` breaks off."""

    disable_streaming: bool = False
    size: int = 3
    said: list[str]

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        result = self._generate(messages)
        text = str(result.generations[0].message.content)
        for start in range(0, len(text), self.size) or [0]:
            piece = text[start : start + self.size]
            if "💥" in piece:
                raise ConnectionError
            self.said.append(piece)
            yield ChatGenerationChunk(message=AIMessageChunk(piece))

    async def _astream(self, messages: list[BaseMessage], *a: Any, **k: Any) -> AsyncIterator[ChatGenerationChunk]:
        for each in self._stream(messages):
            yield each


def make(*answers: Any, size: int = 3, **changes: Any) -> tuple[Any, TokenChat]:
    model = TokenChat(answers=list(answers), prompts=[], said=[], size=size)
    parts = RagParts(vector_search=FakeSearch(HITS), keyword_search=None, chat_model=model, **changes)
    return wire_rag_graph(parts).compile(checkpointer=InMemorySaver()), model


def read(graph: Any) -> tuple[str, dict[str, Any]]:
    """Return what a reader got, and the result; what they got is one message, in pieces."""
    pieces, result = [], {}
    for mode, event in graph.stream(QUESTION, {"configurable": {"thread_id": "a"}}, stream_mode=["messages", "values"]):
        if mode == "messages":
            pieces.append(event[0])
        else:
            result = event
    assert len({piece.id for piece in pieces}) == 1
    assert pieces[0].id == result["messages"][-1].id
    return "".join(piece.text for piece in pieces), result


async def aread(graph: Any) -> tuple[str, dict[str, Any]]:
    pieces, result = [], {}
    async for mode, event in graph.astream(
        QUESTION, {"configurable": {"thread_id": "a"}}, stream_mode=["messages", "values"]
    ):
        if mode == "messages":
            pieces.append(event[0])
        else:
            result = event
    return "".join(piece.text for piece in pieces), result


def test_the_first_sentence_is_read_before_the_last_is_written():
    was_read = threading.Event()

    class Waiting(TokenChat):
        def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
            yield ChatGenerationChunk(message=AIMessageChunk("It is 8 seconds [1]. And"))
            assert was_read.wait(10)
            yield ChatGenerationChunk(message=AIMessageChunk(" health is 5 [2]."))

    model = Waiting(answers=[], prompts=[], said=[])
    graph = wire_rag_graph(RagParts(vector_search=FakeSearch(HITS), keyword_search=None, chat_model=model)).compile()
    got = []
    for message, _ in graph.stream(QUESTION, stream_mode="messages"):
        got.append(message.text)
        was_read.set()
    assert "".join(got) == "It is 8 seconds [1]. And health is 5 [2]."


@pytest.mark.parametrize(
    ("answers", "text", "calls"),
    [
        (["A draft [9].", "It is 8 [1]."], "It is 8 [1].", 2),
        (["No mark at all.", "It is 8 [1]."], "It is 8 [1].", 2),
        (["[1]", "It is 8 [1]."], "It is 8 [1].", 2),
        (["It is 8【1】. So be it."], "It is 8[1]. So be it.", 1),
        (["<think>\nIs it [9]? Or [1]?\n</think>\nIt is 8 [1]."], "It is 8 [1].", 1),
        (["It is 8 [1]. It is 9 [7]."], "It is 8 [1]. It is 9.\n\n(The passages do not bear out", 1),
        (["It is 8 [1]. And then it 💥"], "It is 8 [1].\n\n(The answer broke off here.)", 1),
        (["NOT_FOUND. It is not there [1]. Really [1]."], "I found nothing in the notes", 1),
        (
            ["Use this [1]:\n\n```c\nx = a[3];\ny = b[1];\n```\n\nDone [1]."],
            "Use this [1]:\n\n```c\nx = a[3];\ny = b[1];",
            1,
        ),
        ([RuntimeError("down")], "The chat model gave no answer.", 1),
        (["💥"], "The chat model gave no answer.", 1),
    ],
)
async def test_what_is_read_is_the_final_answer(answers, text, calls):
    graph, model = make(*answers)
    got, result = read(graph)
    assert got == result["answer"] == result["messages"][-1].content
    assert got.startswith(text)
    assert len(model.prompts) == calls
    again, other = await aread(make(*answers)[0])
    assert (again, other["answer"], other["citations"]) == (got, got, result["citations"])


def test_nobody_reads_so_a_bad_mark_further_on_leads_to_another_answer():
    graph, model = make("It is 8 [1]. It is 9 [7].", "It is 8 [1].")
    assert graph.invoke(QUESTION, {"configurable": {"thread_id": "a"}})["answer"] == "It is 8 [1]."
    assert len(model.prompts) == 2


def test_an_answer_that_takes_too_long_ends_for_its_reader_too():
    class Slow(TokenChat):
        def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
            yield from super()._stream(*args, **kwargs)
            time.sleep(1)
            yield ChatGenerationChunk(message=AIMessageChunk(" Too late [1]. Much too late."))

    model = Slow(answers=["It is 8 [1]. Health is 5 [2]. And"], prompts=[], said=[])
    parts = RagParts(
        vector_search=FakeSearch(HITS), keyword_search=None, chat_model=model, budget=BudgetOptions(call_timeout=0.3)
    )
    got, result = read(wire_rag_graph(parts).compile(checkpointer=InMemorySaver()))
    assert got == result["answer"]
    assert got.startswith("It is 8 [1]. Health is 5 [2].\n\n(The answer broke off here.)")
    assert result["degraded"] == ["chat_model"]


PART = st.sampled_from([
    "It is 8 seconds [1].", " Health is 5 [2].", " Bad [9].", " No mark.", "\n\n", "\n- item [1]\n", " [", "]", "💥",
    "```\na[3] b[9]\n```\n", " `x[1]`", " [link](http://a.example/b.c)", "NOT_FOUND", " 【1】", " $a_{[1]}$",
    "是 8 秒[1]。", "<think>no [9].</think>",
])  # fmt: skip


@example([" 【1】]```\na[3] b[9]\n```\n"], 1)
@example(["It costs $5 [1]. It costs $6. And so on."], 1)
@given(answers=st.lists(st.lists(PART, max_size=6).map("".join), min_size=1, max_size=4), size=st.integers(1, 40))
def test_whatever_a_model_writes_is_read_once_as_it_ends(answers, size):
    got, result = read(make(*answers, size=size)[0])
    assert got == result["answer"]


@given(st.lists(PART, max_size=8).map("".join), st.integers(1, 30), st.booleans())
@example("It is 8 seconds [1].\n\n", 1, True)
@example("It is 8 seconds [1].\n \n", 1, True)
def test_what_is_released_does_not_depend_on_how_it_comes(text, size, by_content):
    release, whole = (Release(CitationCheck(HITS, "How long?", by_content=by_content)) for _ in range(2))
    got = [release.feed(text[:end]) for end in range(size, len(text), size)]
    got.append(release.finish(text))
    assert "".join(got) == release.text
    if release.text and not whole.finish(text):
        return  # what comes later makes the whole unfit to begin with, and was not known yet
    assert not release.text or release.text.replace(" ", "") == whole.text.replace(" ", "")


async def test_each_node_tells_when_it_begins_and_ends():
    graph, _ = make("It is 8 [1].")
    run: Any = {"configurable": {"thread_id": "a"}}
    events = list(graph.stream(QUESTION, run, stream_mode="custom"))
    assert [event["node"] for event in events if event["event"] == "started"] == [
        "take_question", "vector_search", "fuse", "answer", "verify_citations", "publish",
    ]  # fmt: skip
    assert sorted(event["node"] for event in events if event["event"] == "ended") == sorted(
        event["node"] for event in events if event["event"] == "started"
    )
    assert [event async for event in graph.astream(QUESTION, run, stream_mode="custom")] == events
