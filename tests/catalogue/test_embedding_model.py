from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.catalogue import embedding_model_id
from obsirag.plugins.hashing import HashingEmbeddings


def test_a_declared_name_is_taken() -> None:
    assert embedding_model_id(HashingEmbeddings(64)) == "hashing:64"


def test_models_of_one_class_are_told_apart() -> None:
    small, large = (embedding_model_id(DeterministicFakeEmbedding(size=size)) for size in (8, 16))
    assert small != large
    assert "DeterministicFakeEmbedding" in small
