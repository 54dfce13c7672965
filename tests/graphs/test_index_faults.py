"""An index that is damaged, locked or taken away under a graph that is in use."""

import os
import sqlite3
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from fault_world import NOTES, SECRET, WAYS, FaultWorld
from obsirag.catalogue import FILE_NAME

QUESTION = "How long is the respawn timer?"


@pytest.fixture
def world(tmp_path):
    world = FaultWorld(tmp_path)
    yield world
    world.switch.clear()


def ask(world: FaultWorld, graph: Any, way: str) -> dict[str, Any]:
    result = WAYS[way](graph, QUESTION, "a")[1]
    assert result["messages"][-1].content == result["answer"] != ""
    assert SECRET not in str(result)
    return result


def damage(world: FaultWorld, how: str) -> None:
    file = world.config.index / FILE_NAME
    if how == "no keyword tables":
        with sqlite3.connect(file) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%fts5%'").fetchall()
            for (name,) in names:
                connection.execute(f"DROP TABLE {name}")
        connection.close()
        return
    for each in world.config.index.glob(f"{FILE_NAME}*"):
        each.unlink()
    if how == "garbage":
        file.write_bytes(os.urandom(50_000))
    elif how == "empty":
        file.touch()


@pytest.mark.parametrize("way", WAYS)
def test_without_keyword_tables_vectors_answer(world, way):
    graph = world.graph(world.chat(), checkpointer=InMemorySaver())
    damage(world, "no keyword tables")
    result = ask(world, graph, way)
    assert (result["status"], result["degraded"]) == ("answered", ["keyword_search"])


@pytest.mark.parametrize("how", ["gone", "garbage", "empty"])
@pytest.mark.parametrize("way", WAYS)
def test_without_an_index_the_web_answers_and_the_searches_are_named(world, way, how):
    graph = world.graph(world.chat(), checkpointer=InMemorySaver())
    damage(world, how)
    result = ask(world, graph, way)
    assert result["degraded"] == ["keyword_search", "terms", "vector_search"]
    assert all(each["source"].startswith("https:") for each in result["citations"])


@pytest.mark.parametrize("how", ["gone", "garbage", "empty"])
@pytest.mark.parametrize("way", WAYS)
def test_an_index_that_goes_after_the_search_costs_no_hits(world, way, how):
    graph = world.graph(None, checkpointer=InMemorySaver())

    def damaging(hits: Any) -> Any:
        damage(world, how)
        return hits

    world.switch.set("reranker", damaging)
    result = ask(world, graph, way)
    assert (result["status"], result["degraded"]) == ("answered", ["select"])
    assert {each["source"] for each in result["citations"]} & set(NOTES)


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_an_index_that_is_being_written_is_not_waited_for(world, way):
    graph = world.graph(world.chat(), checkpointer=InMemorySaver())
    other = sqlite3.connect(world.config.index / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    result = ask(world, graph, way)
    other.close()
    assert (result["status"], result["degraded"]) == ("answered", [])
