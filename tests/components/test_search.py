import pytest
from langchain_core.documents import BaseDocumentCompressor
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.components import Components, index_vault, open_retriever
from obsirag.config import RagConfig
from obsirag.errors import CatalogueError
from obsirag.plugins.hashing import HashingEmbeddings


@pytest.fixture(scope="module")
def config(sample_vault, tmp_path_factory):
    made = RagConfig(
        vault=sample_vault,
        index=tmp_path_factory.mktemp("search") / "index",
        embeddings="hashing",
        vector_store="memory",
    )
    index_vault(made)
    return made


def change(config, **values):
    return RagConfig(**{**config.model_dump(), **values})


def sources(documents):
    return list(dict.fromkeys(document.metadata["source"] for document in documents))


def test_vectors_and_keywords_find_together(config):
    documents = open_retriever(config).invoke("FTableRowBase")
    assert "数据/数据表 DataTable.md" in sources(documents)
    assert {"vector_score", "keyword_score"} <= {name for each in documents for name in each.metadata}


async def test_they_find_asynchronously_too(config):
    retriever = open_retriever(config)
    assert sources(await retriever.ainvoke("FTableRowBase")) == sources(retriever.invoke("FTableRowBase"))


def test_the_options_bound_what_is_returned(config):
    documents = open_retriever(change(config, retrieval={"limit": 2, "chunks_per_document": 1})).invoke("蓝图")
    assert len(documents) == len(sources(documents)) == 2


def test_without_a_weight_for_vectors_no_model_is_built(config):
    words_only = change(config, embeddings="no-such-plugin", retrieval={"weights": {"vector": 0.0}})
    assert "数据/数据表 DataTable.md" in sources(open_retriever(words_only).invoke("FTableRowBase"))


def test_labels_decide_what_is_found(config):
    restricted = "内部/里程碑与人员安排.md"
    retriever = open_retriever(config)
    assert restricted not in sources(retriever.invoke("代码签名证书由谁保管"))
    assert restricted in sources(retriever.invoke("代码签名证书由谁保管", labels=["leads"]))


def test_filters_decide_what_is_found(config):
    found = open_retriever(config).invoke("数据表", filter={"source": "GAS/概览.md"})
    assert set(sources(found)) <= {"GAS/概览.md"}


def test_without_an_index_it_says_so_and_makes_none(config, tmp_path):
    with pytest.raises(CatalogueError, match="index"):
        open_retriever(change(config, index=tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_another_embedding_model_is_an_error(config):
    with pytest.raises(CatalogueError, match="model"):
        open_retriever(config, components=Components(embeddings=DeterministicFakeEmbedding(size=1024)))


class Backwards(BaseDocumentCompressor):
    def compress_documents(self, documents, query, callbacks=None):
        return list(reversed(documents))


def test_the_stages_are_off_unless_they_are_switched_on(config):
    retriever = open_retriever(config)
    stages = (retriever.linking, retriever.reranking, retriever.merging, retriever.expansion, retriever.cache)
    assert stages == (None,) * 5
    assert retriever.hybrid.limit == retriever.limit == config.retrieval.limit
    assert retriever.search("蓝图") == retriever.hybrid.search("蓝图")


def test_the_configuration_switches_them_on(config):
    options = {
        "limit": 3,
        "linked_notes": 2,
        "rerank": {"candidates": 7, "max_characters": 100, "min_candidates": 2, "timeout": 5.0},
        "merge_duplicates": True,
        "duplicate_threshold": 0.9,
        "parent_budget": 4000,
        "cache": {"size": 10, "similarity": 0.97},
    }
    retriever = open_retriever(change(config, retrieval=options, reranker="none"))
    assert (retriever.limit, retriever.hybrid.limit) == (3, 7)
    assert retriever.linking.count == 2
    judged = retriever.reranking
    assert (judged.candidates, judged.max_characters, judged.min_candidates, judged.timeout) == (7, 100, 2, 5.0)
    assert retriever.merging.threshold == 0.9
    assert retriever.expansion.budget == 4000
    assert retriever.cache.similarity == 0.97
    documents = retriever.invoke("蓝图")
    assert retriever.invoke("蓝图") == documents
    assert any("expanded_chunk_ids" in each.metadata for each in documents)
    hits = [each for each in documents if "linked_from" not in each.metadata]
    assert len(sources(hits)) == 3
    assert len(sources(documents)) <= 5


def test_a_reranker_judges_more_than_is_returned(config):
    fused = open_retriever(change(config, retrieval={"limit": 10})).invoke("蓝图")
    reranked = open_retriever(change(config, retrieval={"limit": 3}), components=Components(reranker=Backwards()))
    assert sources(reranked.invoke("蓝图")) == sources(fused[::-1])[:3]


def test_the_threshold_of_near_duplicates_is_the_models_own(config):
    class Close(HashingEmbeddings):
        duplicate_threshold = 0.98

    asked = change(config, retrieval={"merge_duplicates": True, "limit": 4})
    assert open_retriever(asked).merging.threshold == 0.95
    retriever = open_retriever(asked, components=Components(embeddings=Close()))
    assert retriever.merging.threshold == 0.98
    assert retriever.hybrid.limit == 8  # so that others take the places of those merged
