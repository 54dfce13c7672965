"""Threads in a file or a database, in an async program as servers are: what waits there waits for any process."""

from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from langgraph.types import Command

from obsirag import build_rag_graph
from obsirag.graphs import waiting_review
from tool_worlds import small_world

RISKY = "回滚 release 流需要谁书面同意？"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("kept"), preset="enterprise")


@pytest.fixture(params=["sqlite", "postgres"])
def address(request, tmp_path):
    return str(tmp_path / "threads.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@asynccontextmanager
async def graph_over(world, address, **options):
    """Lend a graph as a process of its own would have it, but for the process."""
    if address.startswith("postgres"):
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver as Saver
    else:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver as Saver
    async with Saver.from_conn_string(address) as saver:
        await saver.setup()
        yield build_rag_graph(world, **options).compile(checkpointer=saver)


@pytest.mark.parametrize("decision", ["approve", "reject"])
async def test_another_program_decides(world, address, decision):
    run = {"configurable": {"thread_id": uuid4().hex}}
    async with graph_over(world, address) as graph:
        assert (await graph.ainvoke({"messages": [("user", RISKY)]}, run))["status"] == "awaiting_review"
    async with graph_over(world, address) as graph:
        waiting = waiting_review(await graph.aget_state(run))
        assert [each["source"] for each in waiting.evidence][:1] == ["值班.md"]
        result = await graph.ainvoke(Command(resume={waiting.id: decision}), run)
        assert result["status"] == ("answered" if decision == "approve" else "refused")
        assert ("两位主管" in result["answer"]) == (decision == "approve")
    async with graph_over(world, address) as graph:
        result = await graph.ainvoke({"messages": [("user", "What is public?")]}, run)
        assert [message.type for message in result["messages"]] == ["human", "ai"] * 2


async def test_threads_share_nothing(world, address):
    runs = [{"configurable": {"thread_id": uuid4().hex}} for _ in range(2)]
    async with graph_over(world, address) as graph:
        for run in runs:
            await graph.ainvoke({"messages": [("user", RISKY)]}, run)
        waiting = [waiting_review(await graph.aget_state(run)) for run in runs]
        result = await graph.ainvoke(Command(resume={waiting[0].id: "approve"}), runs[0])
        assert result["status"] == "answered"
        assert waiting_review(await graph.aget_state(runs[1])) == waiting[1]


async def test_who_decides_gets_what_their_own_labels_admit(world, address):
    run = {"configurable": {"thread_id": uuid4().hex}}
    risky = "Reset the password of the vault: which password is it?"
    async with graph_over(world, address) as graph:
        first = await graph.ainvoke({"messages": [("user", risky)]}, run, context={"labels": ["leads"]})
        assert first["status"] == "awaiting_review"
        assert "xyzzy" in str(first["__interrupt__"])
    async with graph_over(world, address, labels=[]) as graph:
        (interrupt,) = (await graph.aget_state(run)).interrupts
        result = await graph.ainvoke(Command(resume={interrupt.id: "approve"}), run)
        assert "xyzzy" not in str(result)
