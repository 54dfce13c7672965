"""The whole configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, StringConstraints, Tag

from obsirag.config.cleaning import CleaningOptions
from obsirag.config.growth import GrowthOptions
from obsirag.config.model import ConfigModel, Flag
from obsirag.config.options import IndexingOptions, RetrievalOptions, VaultOptions
from obsirag.config.part import Part
from obsirag.config.paths import FolderPath
from obsirag.config.plugins import PluginOptions
from obsirag.config.question_options import (
    AnswerOptions,
    AspectOptions,
    BudgetOptions,
    ConversationOptions,
    GradingOptions,
    IntentOptions,
    ReviewOptions,
)
from obsirag.config.splitting import SplitterOptions
from obsirag.config.terms import TermOptions
from obsirag.config.tracing import TracingOptions
from obsirag.config.web_search import WebSearchOptions

__all__ = ["RagConfig"]


def _options_or_part(value: Any) -> str:
    named = isinstance(value, str | Part) or (isinstance(value, dict) and "name" in value)
    return "part" if named else "options"


def _named(value: Any) -> Any:
    # Without quotes, the `1` of a file is a number.
    return str(value) if type(value) is int else value


NodeName = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]
Version = Annotated[Part, BeforeValidator(_named)]


Preset = Literal["naive", "corrective", "aspects", "enterprise"]
"""The name of a file of settings for those that a configuration doesn't set."""


class RagConfig(ConfigModel):
    """Everything that can be set; ``RagConfig(vault=…, index=…)`` alone is complete, offline and needs no key.

    Paths are taken as written, with ``~`` for the home folder; in a file they are relative to that file.

    Raises:
        ConfigError: If a key is unknown or a value is wrong.
    """

    vault: FolderPath = Field(description="The folder with the notes.")
    index: FolderPath = Field(description="The folder of the index; made if missing.")
    vault_options: VaultOptions = VaultOptions()
    loaders: tuple[Part, ...] = Field(default=(), description="Plugins that read files which are no notes.")
    cleaning: CleaningOptions = CleaningOptions()
    splitter: Annotated[
        Annotated[SplitterOptions, Tag("options")] | Annotated[Part, Tag("part")],
        Discriminator(_options_or_part),
    ] = Field(default=SplitterOptions(), description="Sizes for the built-in splitter, or another splitter.")
    embeddings: Part | None = Field(
        default=None, description="`local` where its extra is installed, else `hashing`, if not set."
    )
    chat_model: Part | None = Field(default=None, description="Without one, answers are quoted from the notes.")
    vector_store: Part | None = Field(
        default=None, description="`chroma` where its extra is installed, else `memory`, if not set."
    )
    keyword_index: Part | None = Field(
        default=None,
        description="Finds words in the place of the catalogue's own index. `auto`: with the vector store's plugin, "
        "where that can.",
    )
    reranker: Part | None = Field(default=None, description="Puts the fused hits into a better order.")
    search_provider: Part | None = Field(default=None, description="Searches the web; without one nobody does.")
    retrieval: RetrievalOptions = RetrievalOptions()
    web_search: WebSearchOptions = WebSearchOptions()
    indexing: IndexingOptions = IndexingOptions()
    preset: Preset = Field(
        default="corrective",
        description="Which steps a question goes through where their own settings don't say: `naive` searches once and "
        "answers; `corrective` rewords follow-ups, judges what was found, and searches again if that isn't enough; "
        "`aspects` does that for each part of a question; `enterprise` is `corrective` that also looks what a question "
        "is after, and lets a person see what a high-risk one would be answered from.",
    )
    intent: IntentOptions = IntentOptions()
    conversation: ConversationOptions = ConversationOptions()
    aspects: AspectOptions = AspectOptions()
    terms: TermOptions = TermOptions()
    grading: GradingOptions = GradingOptions()
    review: ReviewOptions = ReviewOptions()
    answers: AnswerOptions = AnswerOptions()
    budget: BudgetOptions = BudgetOptions()
    nodes: Mapping[NodeName, Version] = Field(
        default={}, description="Other versions of nodes of the question graph, by the names of the nodes."
    )
    growth: GrowthOptions = GrowthOptions()
    tracing: TracingOptions = TracingOptions()
    prompts: FolderPath | None = Field(
        default=None, description="A folder with prompts of one's own, each in the place of the one of its name."
    )
    plugins: PluginOptions = PluginOptions()
    offline: Flag = Field(default=False, description="Refuse parts that would call another machine.")
