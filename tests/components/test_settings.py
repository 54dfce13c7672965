import re
from functools import partial

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import CharacterTextSplitter

from obsirag.cleaning import CleaningStep
from obsirag.components import Components, build_components
from obsirag.components.settings import describe_settings
from obsirag.config import RagConfig


def described(splitter=None, store=None, **values):
    config = RagConfig(vault="notes", index="index", **{"vector_store": "memory", **values})
    return describe_settings(
        config,
        Components(splitter=splitter or CharacterTextSplitter(chunk_size=100, chunk_overlap=0), vector_store=store),
    )


def test_the_same_settings_are_described_the_same():
    assert described() == described()


def test_each_change_shows_where_it_belongs_and_nowhere_else():
    before = described()
    changed = {
        "vault": described(vault_options={"embed_heading": "drop"}),
        "cleaning": described(cleaning={"full_width": not RagConfig(vault="v", index="i").cleaning.full_width}),
        "splitter": described(splitter=CharacterTextSplitter(chunk_size=101, chunk_overlap=0)),
        "vector_store": described(vector_store={"name": "memory", "x": 1}),
    }
    for subject, after in changed.items():
        assert {name for name in before if before[name] != after[name]} == {subject}


@pytest.mark.parametrize(
    "sizes",
    [
        {"chunk_size": 999},
        {"min_chunk_size": 100},
        {"max_chunk_size": 1500},
        {"chunk_overlap": 10},
        {"unit": "tokens"},
        {"heading_separator": "/"},
        {"parent_chunk_size": 3000},
    ],
)
def test_every_option_of_the_splitter_shows(sizes):
    def of(**values):
        config = RagConfig(vault="notes", index="index", splitter=values)
        return describe_settings(config, build_components(config, kinds=("splitter",)))["splitter"]

    assert of(**sizes) != of()
    assert of(**sizes) == of(**sizes)


def test_the_models_input_limit_shows():
    class Limited(DeterministicFakeEmbedding):
        input_limit: int = 100

    config = RagConfig(vault="notes", index="index")
    one, other = (
        build_components(config, Components(embeddings=Limited(size=2, input_limit=limit)), kinds=("splitter",))
        for limit in (100, 200)
    )
    assert describe_settings(config, one)["splitter"] != describe_settings(config, other)["splitter"]


def test_a_ready_store_is_told_by_its_class():
    ready = InMemoryVectorStore(DeterministicFakeEmbedding(size=2))
    assert "InMemoryVectorStore" in described(store=ready)["vector_store"]


def test_what_does_not_change_the_index_does_not_show():
    assert described() == described(retrieval={"limit": 9}, indexing={"batch_size": 3}, chat_model="openai")


def test_secrets_do_not_enter_the_index():
    assert "sk-secret" not in str(described(vector_store={"name": "memory", "password": "sk-secret"}))


class Shouter:
    def __init__(self, words):
        self.words = words

    def find(self, text):
        return ()

    __call__ = find


def closing_over(words):
    return lambda text: (words, ())[1]


def finding(words, text):
    return ()


@pytest.mark.parametrize(
    "make",
    [
        lambda words: Shouter(words).find,
        lambda words: Shouter(words),
        closing_over,
        lambda words: partial(finding, words),
        lambda words: closing_over(re.compile(words)),
    ],
)
def test_a_cleaner_shows_with_what_it_was_made_with(make):
    def of(words, name="shout"):
        components = Components(
            splitter=CharacterTextSplitter(), cleaners=[CleaningStep(name, make(words))] if words else None
        )
        return describe_settings(RagConfig(vault="notes", index="index"), components)

    assert of("a") == of("a")
    described = [of("a"), of("b"), of("a", "other"), of(None)]
    assert len({each["cleaning"] for each in described}) == 4
    assert len({(each["splitter"], each["vault"]) for each in described}) == 1


def test_secrets_of_cleaners_do_not_enter_the_index():
    config = RagConfig(vault="v", index="i", cleaning={"steps": [{"name": "acme", "key": "sk-secret"}]})
    step = CleaningStep("acme", closing_over("sk-secret"))
    settings = describe_settings(config, Components(splitter=CharacterTextSplitter(), cleaners=[step]))
    assert "sk-secret" not in str(settings)
