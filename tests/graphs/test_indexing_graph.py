"""The graph that indexes does what `index_vault` does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from obsirag import RagConfig, aindex_vault, build_index_graph, index_vault
from obsirag.components import Components
from obsirag.errors import CatalogueError, PluginError, VaultError
from obsirag.indexing import is_being_written
from obsirag.plugins.hashing import HashingEmbeddings
from obsirag.records import IndexReport


def configure(vault: Path, index: Path, **options: Any) -> RagConfig:
    values = {"embeddings": "hashing", "vector_store": "memory", "indexing": {"batch_size": 8}}
    return RagConfig(vault=vault, index=index, **(values | options))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number:02}.md").write_text(f"# Note {number}\n\nwords {number}\n", encoding="utf-8")
    (folder / "bad.md").write_bytes(b"caf\xe9")
    (folder / "x.md").write_text("![[missing]]", encoding="utf-8")
    return folder


@pytest.mark.parametrize("store", ["memory", "chroma"])
async def test_it_reports_what_index_vault_reports(sample_vault: Path, tmp_path: Path, store: str) -> None:
    expected = index_vault(configure(sample_vault, tmp_path / "1", vector_store=store))
    assert expected.diagnostics
    graph = build_index_graph(configure(sample_vault, tmp_path / "2", vector_store=store)).compile()
    assert graph.invoke({}) == {"report": expected}
    again = await aindex_vault(configure(sample_vault, tmp_path / "1", vector_store=store))
    assert await graph.ainvoke({}) == {"report": again}
    graph = build_index_graph(configure(sample_vault, tmp_path / "3", vector_store=store)).compile()
    assert await graph.ainvoke({"full": True}) == {"report": expected}


def test_its_steps_are_nodes_and_each_note_is_an_event(vault: Path, tmp_path: Path) -> None:
    graph = build_index_graph(configure(vault, tmp_path / "1")).compile()
    nodes: list[str] = []
    events: list[dict[str, Any]] = []
    for mode, event in graph.stream({}, stream_mode=["updates", "custom"]):
        nodes.extend(event) if mode == "updates" else events.append(event)
    assert nodes == ["plan", *["prepare", "write"] * 3, "finish"]
    told: list[tuple[int, int, str]] = []
    index_vault(configure(vault, tmp_path / "2"), progress=lambda *each: told.append(each))
    assert [(each["done"], each["total"], each["path"]) for each in events] == told


@pytest.mark.parametrize("limit", [5, 6, 7, 8])
def test_it_ends_within_any_recursion_limit_that_lets_it_begin(vault: Path, tmp_path: Path, limit: int) -> None:
    graph = build_index_graph(configure(vault, tmp_path / "1")).compile()
    assert len(graph.invoke({}, {"recursion_limit": limit})["report"].added) == 21


def test_its_state_is_plain_data_for_any_checkpointer(
    vault: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config: Any = {"configurable": {"thread_id": "1"}}
    with SqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
        graph = build_index_graph(configure(vault, tmp_path / "1")).compile(checkpointer=saver)
        report = graph.invoke({}, config)["report"]
        assert graph.get_state(config).values["report"] == report
        stored = list(saver.list(config))
        assert len(stored) > 5
        for each in stored:
            json.dumps(each.checkpoint["channel_values"])
    assert isinstance(report, IndexReport)
    assert (len(report.added), report.failed[0].path, bool(report.diagnostics)) == (21, "bad.md", True)
    assert "unregistered" not in caplog.text


@pytest.mark.parametrize("before", ["prepare", "write", "finish"])
def test_it_can_wait_between_its_steps_without_holding_the_lock(vault: Path, tmp_path: Path, before: str) -> None:
    config: Any = {"configurable": {"thread_id": "1"}}
    settings = configure(vault, tmp_path / "1")
    graph = build_index_graph(settings).compile(checkpointer=InMemorySaver(), interrupt_before=[before])
    graph.invoke({}, config)
    assert not is_being_written(settings.index)
    assert graph.get_state(config).next == (before,)
    for _ in range(9):
        if not graph.get_state(config).next:
            break
        graph.invoke(None, config)
    assert len(graph.get_state(config).values["report"].added) == 21


@pytest.mark.parametrize("before", ["prepare", "write", "finish"])
def test_another_run_or_another_process_may_come_between(vault: Path, tmp_path: Path, before: str) -> None:
    config: Any = {"configurable": {"thread_id": "1"}}
    settings = configure(vault, tmp_path / "1")
    saver = InMemorySaver()
    build_index_graph(settings).compile(checkpointer=saver, interrupt_before=[before]).invoke({}, config)
    elsewhere = build_index_graph(settings).compile(checkpointer=saver)
    (vault / "00.md").write_text("other words")
    report = elsewhere.invoke(None, config)["report"]
    assert [each.path for each in report.failed] == ["bad.md"]
    assert report.chunks == 21
    (vault / "01.md").write_text("other words, too")
    graph = build_index_graph(settings).compile(checkpointer=saver, interrupt_before=[before])
    graph.invoke({}, {"configurable": {"thread_id": "2"}})
    (vault / "02.md").write_text("yet others")
    index_vault(settings)
    graph = graph.builder.compile(checkpointer=saver)
    graph.invoke(None, {"configurable": {"thread_id": "2"}})
    again = index_vault(settings)
    assert (len(again.unchanged), again.embedded) == (21, 0)


class Dying(HashingEmbeddings):
    left = 1

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().embed_documents(texts)


def test_what_stops_it_leaves_what_a_kill_leaves(vault: Path, tmp_path: Path) -> None:
    settings = configure(vault, tmp_path / "1")
    embeddings = Dying(16)
    graph = build_index_graph(settings, components=Components(embeddings=embeddings)).compile()
    with pytest.raises(KeyboardInterrupt):
        graph.invoke({})
    assert not is_being_written(settings.index)
    embeddings.left = 99
    report = graph.invoke({})["report"]
    assert (len(report.unchanged), len(report.added), report.chunks) == (8, 13, 21)


def test_what_is_wrong_is_told_as_index_vault_tells_it(vault: Path, tmp_path: Path) -> None:
    settings = configure(vault, tmp_path / "1")
    with pytest.raises(PluginError):
        build_index_graph(configure(vault, tmp_path / "1", embeddings="no-such-plugin"))
    with pytest.raises(VaultError):
        build_index_graph(configure(tmp_path / "nowhere", tmp_path / "1")).compile().invoke({})
    assert not settings.index.exists()
    index_vault(settings)
    other = configure(vault, tmp_path / "1", embeddings={"name": "hashing", "dimensions": 64})
    graph = build_index_graph(other).compile()
    with pytest.raises(CatalogueError, match="obsirag rebuild"):
        graph.invoke({})
    assert graph.invoke({"full": True})["report"].embedded == 21
