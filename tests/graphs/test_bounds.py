from obsirag.config import RagConfig
from obsirag.graphs import graph_bounds


def test_bounds_follow_the_configuration():
    quoted = graph_bounds(RagConfig(vault="v", index="i", preset="naive"))
    assert quoted == (7, 0, 2)
    config = RagConfig(
        vault="v", index="i", preset="naive", chat_model="openai", reranker="x", answers={"max_regenerations": 3}
    )
    assert graph_bounds(config) == (14, 4, 2)
    assert graph_bounds(config, chat_model=False, reranker=False) == quoted


def test_a_search_without_weight_is_not_asked():
    config = RagConfig(vault="v", index="i", retrieval={"weights": {"vector": 0.0}})
    assert graph_bounds(config).searches == 1
