"""What a configuration needs is made, and nothing else."""

import pytest

from obsirag.components import index_vault
from obsirag.config import RagConfig
from obsirag.errors import ObsiragError
from obsirag.graphs.parts import open_parts


def test_without_a_weight_for_vectors_no_embedding_model_is_made(tmp_path):
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "a.md").write_text("The timer is 8 seconds.", encoding="utf-8")
    settings = {"vault": tmp_path / "v", "index": tmp_path / "index", "vector_store": "memory"}
    index_vault(RagConfig(**settings, embeddings="hashing"))
    missing = {**settings, "embeddings": "no_such_model"}
    parts = open_parts(RagConfig(**missing, retrieval={"weights": {"vector": 0}}))
    assert list(parts.searches) == ["keyword_search"]
    with pytest.raises(ObsiragError):
        open_parts(RagConfig(**missing))
