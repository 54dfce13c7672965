import pytest

from obsirag.components import drop_index, index_vault, open_retriever, rebuild_index
from obsirag.config import RagConfig
from obsirag.errors import CatalogueError


@pytest.fixture(params=["memory", "chroma"])
def config(request, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    (notes / "b.md").write_text("# Tea\n\nLeaves and water.\n", encoding="utf-8")
    return RagConfig(vault=notes, index=tmp_path / "index", embeddings="hashing", vector_store=request.param)


def test_everything_is_embedded_anew_with_whatever_model(config):
    index_vault(config)
    assert rebuild_index(config).embedded == 2
    other = RagConfig(**{**config.model_dump(), "embeddings": {"name": "hashing", "dimensions": 64}})
    report = rebuild_index(other)
    assert (report.unchanged, report.embedded) == (("a.md", "b.md"), 2)
    assert open_retriever(other).invoke("leaves")[0].metadata["source"] == "b.md"
    assert index_vault(other).embedded == 0


def test_a_reader_that_was_open_finds_keywords_before_and_after(config):
    index_vault(config)
    reader = open_retriever(config)
    other = RagConfig(**{**config.model_dump(), "embeddings": {"name": "hashing", "dimensions": 64}})

    def look(done, total, path):
        assert reader.keywords.search("leaves", limit=1)[0].metadata["source"] == "b.md"

    rebuild_index(other, progress=look)
    with pytest.raises(CatalogueError, match="hashing:64"):
        reader.vectors.search("leaves")


def test_an_index_is_dropped_and_the_notes_stay(config):
    index_vault(config)
    (config.index / "mine.txt").write_text("mine")
    assert drop_index(config) == ["mine.txt"]
    assert [each.name for each in config.index.iterdir()] == ["mine.txt"]
    assert index_vault(config).added == ("a.md", "b.md")
    with pytest.raises(CatalogueError, match="no index"):
        drop_index(RagConfig(**{**config.model_dump(), "index": config.vault}))
    assert len(list(config.vault.iterdir())) == 2


def test_another_model_and_another_store_in_one_rebuild(config, tmp_path):
    index_vault(config)
    stores = {"memory": "chroma", "chroma": "memory"}
    other = {"embeddings": {"name": "hashing", "dimensions": 64}, "vector_store": stores[config.vector_store.name]}
    changed = RagConfig(**{**config.model_dump(), **other})
    assert rebuild_index(changed).embedded == 2
    assert open_retriever(changed).invoke("leaves")[0].metadata["source"] == "b.md"
    assert drop_index(changed) == []
    assert not config.index.exists()
