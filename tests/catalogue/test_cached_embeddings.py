from pathlib import Path

import numpy as np

from index_worlds import CountingEmbeddings
from obsirag.catalogue import CachedEmbeddings, Catalogue, content_hash, remember_vectors


def test_what_is_cached_is_not_embedded_again(tmp_path: Path) -> None:
    model = CountingEmbeddings(16)
    with Catalogue.open(tmp_path) as catalogue:
        with catalogue.writing() as connection:
            remember_vectors(connection, model.model_id, {content_hash("a"): np.arange(16, dtype=np.float32)})
        vectors = CachedEmbeddings(model, catalogue).embed_documents(["b", "a", "b"])
    assert vectors[1] == list(range(16))
    assert vectors[0] == vectors[2]
    assert model.calls == [["b"]]


def test_questions_are_passed_on(tmp_path: Path) -> None:
    model = CountingEmbeddings(16)
    with Catalogue.open(tmp_path) as catalogue:
        assert CachedEmbeddings(model, catalogue).embed_query("x y") == model.embed_query("x y")
