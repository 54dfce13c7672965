import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.vectorstores import InMemoryVectorStore

from obsirag.components import Components, build_components, store_opener
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, PluginError


def config(tmp_path, **parts):
    return RagConfig(
        vault=tmp_path, index=tmp_path / "index", **{"embeddings": "hashing", "vector_store": "memory", **parts}
    )


def test_the_configuration_becomes_parts(tmp_path):
    parts = build_components(config(tmp_path, embeddings={"name": "hashing", "dimensions": 32}))
    assert parts.embeddings.model_id == "hashing:32"
    assert (parts.chat_model, parts.vector_store, parts.reranker) == (None, None, None)


def test_parts_given_in_another_form_are_told(tmp_path):
    with pytest.raises(ConfigError, match="must be Components"):
        build_components(config(tmp_path), {"chat_model": FakeListChatModel(responses=["x"])})


def test_parts_given_ready_win_over_the_configuration(tmp_path):
    embeddings = DeterministicFakeEmbedding(size=4)
    ready = Components(
        embeddings=embeddings,
        chat_model=FakeListChatModel(responses=["x"]),
        vector_store=InMemoryVectorStore(embeddings),
    )
    wrong = {"name": "no-such-plugin"}
    settings = config(tmp_path, embeddings=wrong, chat_model=wrong, vector_store=wrong)
    parts = build_components(settings, ready, kinds=("embeddings", "chat_model", "vector_store"))
    assert parts == ready
    assert store_opener(settings, ready)(embeddings) is ready.vector_store


@pytest.mark.parametrize(
    "kind", ["embeddings", "chat_model", "vector_store", "splitter", "reranker", "search_provider"]
)
@pytest.mark.parametrize("given", ["openai", 7, {}, FakeListChatModel, DeterministicFakeEmbedding])
def test_what_is_no_part_of_its_kind_is_told_at_once(kind, given):
    with pytest.raises(ConfigError, match=f"components: {kind} must be an object with the method"):
        Components(**{kind: given})


@pytest.mark.parametrize("kind", ["embeddings", "chat_model", "vector_store", "splitter", "reranker"])
def test_an_unknown_plugin_is_an_error_for_every_kind(tmp_path, kind):
    with pytest.raises(PluginError, match="no plugin 'hashin'; did you mean `hashing`"):
        build_components(config(tmp_path, **{kind: "hashin"}))


@pytest.mark.parametrize("kind", ["chat_model", "vector_store", "splitter", "reranker"])
def test_a_plugin_for_something_else_is_an_error_for_every_kind(tmp_path, kind):
    with pytest.raises(PluginError, match=f"'hashing' .* makes no {kind.replace('_', ' ')}"):
        build_components(config(tmp_path, **{kind: "hashing"}))


def test_what_is_not_needed_is_not_built(tmp_path):
    parts = build_components(config(tmp_path, chat_model="no-such-plugin"), kinds=("embeddings",))
    assert parts.embeddings is not None
    assert parts.splitter is None


def test_a_missing_variable_is_named_when_the_part_is_built(tmp_path, monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    chat_model = {"name": "openai", "model": "m", "api_key": {"env": "MY_KEY"}}
    settings = config(tmp_path, chat_model=chat_model)
    with pytest.raises(ConfigError, match=r"`chat_model\.api_key`.*MY_KEY"):
        build_components(settings, kinds=("chat_model",))


def test_the_splitter_gets_the_sizes_and_the_models_limit(tmp_path):
    class Limited(DeterministicFakeEmbedding):
        input_limit: int = 7

        def input_length(self, text):
            return len(text.split())

    settings = config(tmp_path, splitter={"chunk_size": 300, "chunk_overlap": 0})
    splitter = build_components(settings, Components(embeddings=Limited(size=3)), kinds=("splitter",)).splitter
    chunks = splitter.split_text("word " * 100)
    assert max(len(chunk.split()) for chunk in chunks) <= 7
    assert sum(len(chunk.split()) for chunk in chunks) == 100


@pytest.mark.parametrize(("unit", "most"), [("characters", 60), ("words", 12), ("tokens", 20)])
def test_sizes_are_counted_in_the_unit_asked_for(tmp_path, unit, most):
    sizes = {"chunk_size": 10, "max_chunk_size": 12, "chunk_overlap": 0, "unit": unit}
    splitter = build_components(config(tmp_path, splitter=sizes), kinds=("splitter",)).splitter
    chunks = splitter.split_text("A note, in words. " * 40)
    assert all(len(chunk.split()) <= most for chunk in chunks)
    assert (max(map(len, chunks)) <= 12) is (unit == "characters")


def test_opening_a_store_makes_the_folder(tmp_path):
    settings = config(tmp_path, vector_store="memory")
    store = store_opener(settings)(DeterministicFakeEmbedding(size=3))
    assert settings.index.is_dir()
    assert store.similarity_search_by_vector([1.0, 0.0, 0.0], k=1) == []
