"""From a vault to an answer, with Milvus wherever it runs, and with the other stores in the same way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from milvus_servers import WAYS, free_port, lite_server, milvus_running
from obsirag import RagConfig, build_rag_graph, index_vault, open_retriever
from obsirag.components import drop_index, rebuild_index, store_opener
from obsirag.components.build import build_components
from obsirag.errors import CatalogueError, ConfigError, ServiceError, UnsupportedError

STORES = (*WAYS, "chroma", "memory")


# Stores that other tests try as well.
KNOWN = [pytest.param(each, marks=pytest.mark.slow) for each in ("chroma", "memory")]


@pytest.fixture(scope="module", params=[*WAYS, *KNOWN])
def way(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    if request.param in ("chroma", "memory"):
        yield {"name": request.param}
        return
    with milvus_running(request.param, tmp_path_factory.mktemp("milvus") / "data") as options:
        yield {"name": "milvus", **options}


@pytest.fixture
def config(way: dict[str, Any], tmp_path: Path) -> Iterator[RagConfig]:
    store = way | ({"collection": f"test_{uuid.uuid4().hex}"} if way["name"] == "milvus" else {})
    config = configured(tmp_path, store)
    yield config
    if (config.index / "catalogue.sqlite").exists():
        drop_index(config)


def configured(folder: Path, store: dict[str, Any], **settings: Any) -> RagConfig:
    write(folder, "build.md", "# 打包\n\n打包失败先看 LNK2019，再看模块依赖。")
    write(folder, 'odd "name" 中\'.md', "Blueprints call FTableRowBase to read rows.")
    write(folder, "secret.md", "---\npermission: leads\n---\nThe release window of Zeppelin is Friday.")
    return RagConfig(
        **{
            "vault": folder / "vault",
            "index": folder / "index",
            "embeddings": {"name": "hashing", "dimensions": 64},
            "vector_store": store,
            "keyword_index": "auto",
            "offline": True,
        }
        | settings
    )


def write(folder: Path, name: str, text: str) -> None:
    (folder / "vault").mkdir(parents=True, exist_ok=True)
    (folder / "vault" / name).write_text(text, encoding="utf-8")


def held(config: RagConfig) -> list[str]:
    store: Any = store_opener(config)(build_components(config, kinds=("embeddings",)).embeddings)
    return sorted(store.ids())


def sources(config: RagConfig, query: str, **options: Any) -> set[str]:
    result = open_retriever(config).search(query, **options)
    assert result.degraded == ()
    return {document.metadata["source"] for document in result.documents}


def test_a_vault_is_indexed_and_asked(config: RagConfig) -> None:
    assert len(index_vault(config).added) == 3
    again = index_vault(config)
    assert (len(again.unchanged), again.embedded) == (3, 0)
    assert "build.md" in sources(config, "LNK2019 打包")
    assert sources(config, "FTableRowBase", filter={"source": 'odd "name" 中\'.md'}) == {'odd "name" 中\'.md'}
    state = build_rag_graph(config).compile().invoke({"messages": [("user", "LNK2019 先看什么？")]})
    assert (state["status"], state["citations"][0]["source"]) == ("answered", "build.md")
    assert state["degraded"] == []


def test_permissions_hold(config: RagConfig) -> None:
    index_vault(config)
    question = "release window of Zeppelin"
    assert "secret.md" not in sources(config, question)
    assert "secret.md" in sources(config, question, labels=["leads"])
    assert "Zeppelin is" not in str(build_rag_graph(config).compile().invoke({"messages": [("user", question)]}))


def test_what_changes_is_seen_by_a_reader_that_was_open(config: RagConfig, tmp_path: Path) -> None:
    index_vault(config)
    retriever = open_retriever(config)
    assert {each.metadata["source"] for each in retriever.invoke("LNK2019")} >= {"build.md"}
    write(tmp_path, "build.md", "Now about quaternions.")
    write(tmp_path, "new.md", "quaternions again")
    (tmp_path / "vault" / "secret.md").unlink()
    report = index_vault(config)
    assert (report.added, report.changed, report.deleted) == (("new.md",), ("build.md",), ("secret.md",))
    assert {each.metadata["source"] for each in retriever.invoke("quaternions")} >= {"build.md", "new.md"}


def test_another_model_is_refused_until_the_index_is_rebuilt(config: RagConfig) -> None:
    index_vault(config)
    other = config.model_copy(
        update={
            "embeddings": RagConfig(vault="v", index="i", embeddings={"name": "hashing", "dimensions": 32}).embeddings
        }
    )
    with pytest.raises(CatalogueError, match="obsirag rebuild"):
        index_vault(other)
    rebuild_index(other)
    assert "build.md" in sources(other, "LNK2019 打包")
    again = index_vault(other)
    assert (len(again.unchanged), again.embedded) == (3, 0)


SYNC = (
    "import sys; from pathlib import Path; from obsirag import index_vault, load_config\n"
    "index_vault(load_config(Path(sys.argv[1])))"
)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_after_a_kill_the_next_run_makes_it_what_a_fresh_one_would(
    config: RagConfig, way: dict[str, Any], tmp_path: Path
) -> None:
    import json

    file = tmp_path / "config.json.yaml"
    file.write_text(json.dumps(config.model_dump(mode="json", exclude_unset=True) | {"indexing": {"batch_size": 2}}))
    for number in range(40):
        write(tmp_path, f"{number}.md", f"note {number} says word{number}")
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", SYNC, str(file)], check=True, timeout=120)
    whole = time.monotonic() - begun
    for part in (0.6, 0.75, 0.9):
        for number in range(40):
            write(tmp_path, f"{number}.md", f"note {number} says word{number} and {part}")
        process = subprocess.Popen([sys.executable, "-c", SYNC, str(file)], start_new_session=True)
        time.sleep(whole * part)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
    index_vault(config)
    again = index_vault(config)
    assert (len(again.unchanged), again.embedded) == (43, 0)
    fresh = configured(tmp_path, way | ({"collection": f"test_{uuid.uuid4().hex}"} if way["name"] == "milvus" else {}))
    fresh = fresh.model_copy(update={"index": tmp_path / "fresh"})
    index_vault(fresh)
    if way["name"] != "memory":
        assert held(config) == held(fresh)
    assert sources(config, "word7") == sources(fresh, "word7")
    drop_index(fresh)


def test_a_dropped_index_leaves_nothing(config: RagConfig, way: dict[str, Any]) -> None:
    index_vault(config)
    assert drop_index(config) == []
    assert way["name"] == "memory" or held(config) == []


@pytest.fixture(scope="module", params=["lite", "lite server"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with milvus_running(request.param, tmp_path_factory.mktemp("milvus") / "data") as options:
        yield options


@pytest.fixture(params=["pairs", "jieba"])
def by_words(request: pytest.FixtureRequest, place: dict[str, Any], tmp_path: Path) -> Iterator[RagConfig]:
    index = {"name": "milvus", "analyzer": request.param, "collection": f"test_{uuid.uuid4().hex}", **place}
    config = configured(tmp_path, {"name": "memory"}, keyword_index=index, retrieval={"weights": {"vector": 0.0}})
    yield config
    drop_index(config)


class TestKeywords:
    def test_words_are_found_by_milvus(self, by_words: RagConfig, tmp_path: Path) -> None:
        index_vault(by_words)
        assert sources(by_words, "打包") == {"build.md"}
        assert sources(by_words, "ftablerowbase") == {'odd "name" 中\'.md'}
        assert sources(by_words, "Zeppelin") == set()
        assert sources(by_words, "Zeppelin", labels=["leads"]) == {"secret.md"}
        assert sources(by_words, 'rows" or 1 == 1', filter={"source": "build.md"}) == set()
        (found,) = open_retriever(by_words).invoke("打包")
        assert found.metadata["keyword_score"] > 0
        write(tmp_path, "build.md", "nothing of it")
        index_vault(by_words)
        assert sources(by_words, "打包") == set()
        assert index_vault(by_words).embedded == 0

    def test_a_single_text_is_at_most_so_long(self, by_words: RagConfig, tmp_path: Path) -> None:
        write(tmp_path, "long.md", "```\n" + "字词 " * 20_000 + "\n```")
        report = index_vault(by_words)
        assert report.failed == ()

    def test_a_server_that_goes_away_is_done_without_until_it_is_back(self, tmp_path: Path) -> None:
        pytest.importorskip("milvus_lite")
        port = free_port()
        server = {"name": "milvus", "uri": f"http://127.0.0.1:{port}", "timeout": 3.0}
        config = configured(tmp_path, server)
        with lite_server(tmp_path / "data", port):
            index_vault(config)
            retriever = open_retriever(config)
            assert retriever.search("LNK2019").degraded == ()
        down = retriever.search("LNK2019 打包")
        assert set(down.degraded) == {"vector_store", "keyword_index"}
        assert down.documents[0].metadata["source"] == "build.md"
        state = build_rag_graph(config).compile().invoke({"messages": [("user", "LNK2019 先看什么？")]})
        assert (state["status"], state["citations"][0]["source"]) == ("answered", "build.md")
        assert {"vector_store", "keyword_index"} <= set(state["degraded"])
        write(tmp_path, "new.md", "quaternions")
        with pytest.raises(ServiceError, match=f"127.0.0.1:{port} cannot be reached"):
            index_vault(config)
        with lite_server(tmp_path / "data", port):
            assert index_vault(config).added == ("new.md",)
            assert "new.md" in sources(config, "quaternions")

    def test_an_older_server_is_told_or_left_to_the_catalogue(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        pytest.importorskip("milvus_lite")
        from pymilvus import MilvusClient

        with lite_server(tmp_path / "data", port := free_port()):
            monkeypatch.setattr(MilvusClient, "get_server_version", lambda _: "v2.3.5")
            server = {"name": "milvus", "uri": f"http://127.0.0.1:{port}"}
            config = configured(tmp_path, server)
            index_vault(config)
            assert sources(config, "LNK2019") >= {"build.md"}
            assert "takes the catalogue's own index: Milvus at" in caplog.text
            with pytest.raises(UnsupportedError, match=r"is version 2\.3\.5, and finds keywords from 2\.5 on"):
                index_vault(configured(tmp_path, server, keyword_index=server))

    def test_another_machine_is_refused_offline(self, tmp_path: Path) -> None:
        remote = {"name": "milvus", "uri": "https://milvus.example:19530"}
        for settings in ({"keyword_index": remote}, {"vector_store": remote}):
            with pytest.raises(ConfigError, match=r"`offline` is on, but .* would call https://milvus\.example:19530"):
                index_vault(configured(tmp_path, {"name": "memory"}, **settings))
