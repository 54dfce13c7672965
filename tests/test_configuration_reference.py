"""The reference of the configuration lists exactly the options that there are, with their defaults."""

import json
import re
from pathlib import Path

import pytest
import yaml
from pydantic_core import PydanticUndefined

from obsirag.config import (
    AnswerOptions,
    AspectOptions,
    BudgetOptions,
    ConfigModel,
    ConversationOptions,
    GradingOptions,
    GrowthOptions,
    IndexingOptions,
    IntentMessages,
    IntentOptions,
    PluginOptions,
    PreferenceOptions,
    RagConfig,
    RetrievalOptions,
    ReviewOptions,
    TermOptions,
    TracingOptions,
    VaultOptions,
    WebSearchOptions,
    load_config,
)
from obsirag.config.options import CacheOptions, RerankOptions
from obsirag.graphs.versions.by_reranker import ByRerankerOptions
from obsirag.plugins.chat_model_reranker import ChatModelRerankerOptions
from obsirag.plugins.chroma import ChromaOptions
from obsirag.plugins.cross_encoder import CrossEncoderOptions
from obsirag.plugins.hashing import HashingOptions
from obsirag.plugins.milvus_options import MilvusOptions
from obsirag.plugins.openai_options import ChatOptions, EmbeddingOptions, ServerOptions
from obsirag.plugins.tavily_options import TavilyOptions
from obsirag.plugins.text_files import TextOptions

REFERENCE = (Path(__file__).parents[1] / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")


def table_after(words: str) -> list[tuple[str, str]]:
    """Return the first two cells of each row of the first table after ``words``."""
    rest = REFERENCE[REFERENCE.index(words) :]
    table = re.search(r"(?:^\|.*\n)+", rest, re.MULTILINE).group()
    return re.findall(r"^\| `(\w+)` \|(?: `([^`]*)`)? \|", table, re.MULTILINE)


def options_of(model, without=None) -> list[tuple[str, str]]:
    """Return the fields of a model with their defaults; for one with fields of its own, or none, no text."""
    inherited = without.model_fields if without else {}
    return [
        (name, "" if _has_none(field.default) else json.dumps(field.default))
        for name, field in model.model_fields.items()
        if name not in inherited or field.default != inherited[name].default
    ]


def _has_none(default) -> bool:
    return default is PydanticUndefined or isinstance(default, ConfigModel)


@pytest.mark.parametrize(
    ("words", "model", "without"),
    [
        ("# Configuration", RagConfig, None),
        ("## `vault_options`", VaultOptions, None),
        ("## `retrieval`", RetrievalOptions, None),
        ("### Reranking", RerankOptions, None),
        ("### Query cache", CacheOptions, None),
        ("### Preferences", PreferenceOptions, None),
        ("## `web_search`", WebSearchOptions, None),
        ("## `indexing`", IndexingOptions, None),
        ("## `intent`", IntentOptions, None),
        ("### Messages", IntentMessages, None),
        ("## `conversation`", ConversationOptions, None),
        ("## `terms`", TermOptions, None),
        ("## `grading`", GradingOptions, None),
        ("## `aspects`", AspectOptions, None),
        ("## `review`", ReviewOptions, None),
        ("## `answers`", AnswerOptions, None),
        ("## `budget`", BudgetOptions, None),
        ("## `growth`", GrowthOptions, None),
        ("## `tracing`", TracingOptions, None),
        ("## `plugins`", PluginOptions, None),
        ("`openai`, as `chat_model` and as", ServerOptions, None),
        ("`openai` as `chat_model` alone", ChatOptions, ServerOptions),
        ("`openai` as `embeddings` alone", EmbeddingOptions, ServerOptions),
        ("`chat-model` as `reranker` alone", ChatModelRerankerOptions, ServerOptions),
        ("`cross-encoder`, as", CrossEncoderOptions, None),
        ("`by-reranker`, as version", ByRerankerOptions, None),
        ("`hashing`, as", HashingOptions, None),
        ("`chroma`, as", ChromaOptions, None),
        ("`text`, as", TextOptions, None),
        ("`milvus`, as", MilvusOptions, None),
        ("`tavily`, as", TavilyOptions, None),
    ],
)
def test_every_option_is_listed_with_its_default(words, model, without):
    assert sorted(table_after(words)) == sorted(options_of(model, without))


def test_the_configurations_that_are_shown_are_valid(tmp_path):
    whole, nodes, parts, note = re.findall(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL)
    file = tmp_path / "obsirag.yaml"
    file.write_text(whole, encoding="utf-8")
    assert load_config(file).vault_options.ignore
    shown = RagConfig(vault="notes", index="index", **yaml.safe_load(parts))
    chosen = RagConfig(vault="notes", index="index", **yaml.safe_load(nodes)).nodes
    ByRerankerOptions.parse(chosen["grade"].options, place="nodes.grade")
    ChatOptions.parse(shown.chat_model.options, place="chat_model")
    ChromaOptions.parse(shown.vector_store.options, place="vector_store")
    assert yaml.safe_load(note) == {"permission": ["leads", "finance"]}
