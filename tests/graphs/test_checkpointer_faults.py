"""A checkpointer that fails: its error is raised, as LangGraph does, and the thread is good again when it is.

Without its thread a question would be read as another one, and an answer that cannot be kept would be missing from the
next question; so neither is passed over. What was kept before stays, and no working state is left for what is asked
next.
"""

import asyncio
import sqlite3
from contextlib import suppress
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from fault_world import SECRET, WAYS, FaultWorld
from faulty_chat import WORDS

QUESTION = "How long is the respawn timer?"
ANSWER = WORDS["answer"]
NEXT = "How does health regenerate?"
CALLS = ("get_tuple", "put", "put_writes")
THREAD: Any = {"configurable": {"thread_id": "a"}}


class FaultySaver(InMemorySaver):
    """Fails at one call of a kind, the first, second … since it was told to."""

    call = ""
    after = 0
    fault: Any = ConnectionError

    def _check(self, call: str) -> None:
        if call == self.call:
            self.after -= 1
            if self.after < 0:
                raise self.fault("the disk is gone")

    def get_tuple(self, *given: Any) -> Any:
        self._check("get_tuple")
        return super().get_tuple(*given)

    def put(self, *given: Any) -> Any:
        self._check("put")
        return super().put(*given)

    def put_writes(self, *given: Any) -> Any:
        self._check("put_writes")
        return super().put_writes(*given)

    async def aget_tuple(self, *given: Any) -> Any:
        return self.get_tuple(*given)

    async def aput(self, *given: Any) -> Any:
        return self.put(*given)

    async def aput_writes(self, *given: Any) -> Any:
        return self.put_writes(*given)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return FaultWorld(tmp_path_factory.mktemp("world"))


def assert_is_good_again(graph: Any, way: str) -> None:
    """Assert that the thread answers the next question as if nothing had been, and holds no half of an answer."""
    _, result = WAYS[way](graph, NEXT, "a")
    assert (result["status"], result["degraded"]) == ("answered", [])
    assert result["citations"]
    kinds = [message.type for message in result["messages"]]
    assert kinds[-2:] == ["human", "ai"]
    assert result["messages"][-2].content == NEXT
    assert len({message.id for message in result["messages"]}) == len(kinds)
    values = graph.get_state(THREAD).values
    assert not any(values[name] for name in ("evidence", "rankings", "kept", "verdicts", "draft", "earlier"))
    assert SECRET not in str(values)


@pytest.mark.parametrize("after", [0, 1, 3, 6, 9])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("way", WAYS)
def test_its_error_is_raised_and_the_thread_is_good_again(world, way, call, after):
    saver = FaultySaver()
    graph = world.graph(world.chat(), checkpointer=saver)
    assert WAYS[way](graph, QUESTION, "a")[1]["status"] == "answered"
    saver.call, saver.after = call, after
    with suppress(ConnectionError):
        WAYS[way](graph, "How long is it on hard?", "a")
        assert saver.after >= 0  # there were not so many calls
    saver.call = ""
    assert_is_good_again(graph, way)
    first = graph.get_state(THREAD).values["messages"][:2]
    assert [message.content for message in first] == [QUESTION, ANSWER]


@pytest.mark.parametrize("call", CALLS)
def test_a_thread_whose_very_first_run_failed_is_good_again(world, call):
    saver = FaultySaver()
    graph = world.graph(world.chat(), checkpointer=saver)
    saver.call, saver.after = call, 0
    with pytest.raises(ConnectionError):
        graph.invoke({"messages": [("user", QUESTION)]}, THREAD)
    saver.call = ""
    assert_is_good_again(graph, "invoke")


def test_a_run_can_be_taken_up_where_the_checkpointer_failed(world):
    saver = FaultySaver()
    graph = world.graph(world.chat(), checkpointer=saver)
    saver.call, saver.after = "put", 4
    with pytest.raises(ConnectionError):
        graph.invoke({"messages": [("user", QUESTION)]}, THREAD)
    saver.call = ""
    result = graph.invoke(None, THREAD)
    assert (result["status"], len(result["messages"])) == ("answered", 2)


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_locked_database_is_an_error_and_loses_nothing(world, tmp_path, durability):
    file = tmp_path / "threads.sqlite"
    connection = sqlite3.connect(file, check_same_thread=False, timeout=0.05)
    graph = world.graph(world.chat(), checkpointer=SqliteSaver(connection))
    graph.invoke({"messages": [("user", QUESTION)]}, THREAD, durability=durability)
    other = sqlite3.connect(file)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError):
        graph.invoke({"messages": [("user", "How long is it on hard?")]}, THREAD, durability=durability)
    other.close()
    assert_is_good_again(graph, "invoke")
    connection.close()


def test_a_cancelled_run_is_cancelled_and_leaves_a_good_thread(world):
    """A wish from outside to end is no fault of a part, and goes its way."""
    graph = world.graph(world.chat(), checkpointer=InMemorySaver())

    async def cancelled() -> None:
        run = asyncio.create_task(graph.ainvoke({"messages": [("user", QUESTION)]}, THREAD))
        while not world.switch.failed:
            await asyncio.sleep(0.01)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    world.switch.set("chat:answer", "hangs")
    try:
        asyncio.run(cancelled())
    finally:
        world.switch.clear()
    assert_is_good_again(graph, "ainvoke")
