import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.components import Components, index_vault, open_retriever
from obsirag.config import RagConfig
from obsirag.errors import CatalogueError


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
