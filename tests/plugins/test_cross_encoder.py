"""A cross-encoder as a reranker. Its weights are not to be had here, so a module takes the library's place."""

import sys
from types import ModuleType

import numpy as np
import pytest
from langchain_core.documents import Document

from obsirag.errors import ConfigError, MissingExtraError
from obsirag.plugins import Registry

DOCUMENTS = [Document("a"), Document("long text"), Document("middle")]


@pytest.fixture
def made(monkeypatch):
    """Stands in for sentence-transformers; the models made and their arguments are kept."""
    models = []

    class CrossEncoder:
        given = staticmethod(lambda pairs: np.asarray([len(text) for _, text in pairs], dtype=np.float32))

        def __init__(self, path, **options):
            models.append((path, options))

        def predict(self, pairs, *, batch_size, show_progress_bar):
            assert (batch_size, show_progress_bar) == (16, False)
            assert {query for query, _ in pairs} == {"q"}
            return self.given(pairs)

    module = ModuleType("sentence_transformers")
    module.CrossEncoder = CrossEncoder
    module.__spec__ = type("Spec", (), {"name": "sentence_transformers"})()
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    module.models = models
    return module


def build(path, **options):
    return Registry().build("reranker", "cross-encoder", {"path": str(path), **options})


async def test_passages_come_by_what_the_model_gives(made, tmp_path):
    part = build(tmp_path)
    assert made.models == []
    for ordered in (part.compress_documents(DOCUMENTS, "q"), await part.acompress_documents(DOCUMENTS, "q")):
        assert [each.page_content for each in ordered] == ["long text", "middle", "a"]
        assert [each.metadata["rerank_score"] for each in ordered] == [9, 6, 1]
    [(path, options)] = made.models
    assert path == str(tmp_path)
    assert options == {"max_length": 512, "device": None, "local_files_only": True}


def test_one_column_is_one_number_and_several_are_an_error(made, tmp_path):
    made.CrossEncoder.given = staticmethod(lambda pairs: np.ones((len(pairs), 1)))
    assert [each.metadata["rerank_score"] for each in build(tmp_path).compress_documents(DOCUMENTS, "q")] == [1, 1, 1]
    made.CrossEncoder.given = staticmethod(lambda pairs: np.ones((len(pairs), 3)))
    with pytest.raises(ConfigError, match="gives 3 numbers"):
        build(tmp_path).compress_documents(DOCUMENTS, "q")


@pytest.mark.parametrize("path", ["no-such-folder", "BAAI/bge-reranker-v2-m3"])
def test_what_is_no_folder_is_an_error_and_never_a_name_to_download(made, path):
    with pytest.raises(ConfigError, match=f"no folder {path}"):
        build(path)


def test_without_its_library_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr("obsirag.plugins.cross_encoder.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"obsirag\[cross-encoder\]"):
        build(tmp_path)


def test_wrong_options_are_config_errors(made, tmp_path):
    with pytest.raises(ConfigError, match=r"reranker \(cross-encoder\).*batch_size"):
        build(tmp_path, batch_size=0)
    with pytest.raises(ConfigError, match="path"):
        Registry().build("reranker", "cross-encoder", {})
