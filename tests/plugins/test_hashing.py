import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.errors import ConfigError
from obsirag.plugins import Registry
from obsirag.plugins.hashing import HashingEmbeddings


def cosine(one, other):
    return float(np.dot(one, other))


def test_shared_words_bring_texts_together_in_chinese_and_english():
    embedder = HashingEmbeddings()
    query = embedder.embed_query("虚拟纹理 FTableRowBase")
    near, far = embedder.embed_documents(
        ["数据表的行继承自 FTableRowBase,虚拟纹理", "An unrelated note on cooking rice"]
    )
    assert cosine(query, near) > 0.3 > cosine(query, far) + 0.1


@given(st.text())
def test_vectors_have_length_one_or_nothing_to_say(text):
    (vector,) = HashingEmbeddings(64).embed_documents([text])
    length = np.linalg.norm(vector)
    assert len(vector) == 64
    assert length == pytest.approx(1) or length == 0


def test_no_text_at_all_is_no_error():
    assert HashingEmbeddings().embed_documents([]) == []
    assert not any(HashingEmbeddings().embed_query(""))
    assert len(HashingEmbeddings().embed_query("\ud800 half a pair")) == 1024


def test_another_process_makes_the_same_vectors():
    code = (
        "from obsirag.plugins.hashing import HashingEmbeddings as H; print(H(16).embed_query('Niagara 粒子 GE_Damage'))"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second == f"{HashingEmbeddings(16).embed_query('Niagara 粒子 GE_Damage')}\n"


def test_it_is_built_with_its_options_and_names_its_model():
    assert Registry().build("embeddings", "hashing", {"dimensions": 32}).model_id == "hashing:32"


@pytest.mark.parametrize("options", [{"dimension": 32}, {"dimensions": 1}, {"dimensions": "32"}])
def test_wrong_options_are_config_errors(options):
    with pytest.raises(ConfigError, match=r"embeddings \(hashing\): .*`dimensions?`"):
        Registry().build("embeddings", "hashing", options)
