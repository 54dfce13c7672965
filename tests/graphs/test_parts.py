"""What a configuration needs is made, and nothing else."""

import pytest

from obsirag.components import index_vault
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, ObsiragError
from obsirag.graphs import build_rag_graph
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


@pytest.mark.parametrize("given", [{"vault": "v", "index": "i"}, None, "obsirag.yaml"])
def test_what_is_no_configuration_is_told(given):
    with pytest.raises(ConfigError, match=f"is a RagConfig, not a {type(given).__name__}"):
        build_rag_graph(given)


@pytest.mark.parametrize("nodes", [["grade"], "grade", print])
def test_nodes_without_names_are_told(nodes):
    with pytest.raises(
        ConfigError, match=f"nodes must be functions by the names of nodes, not a {type(nodes).__name__}"
    ):
        build_rag_graph(RagConfig(vault="v", index="i"), nodes=nodes)
