"""The configuration: pydantic models, frozen, from Python, YAML or TOML."""

from obsirag.config.cleaning import CleaningOptions, HeaderFooterOptions, Marker, WatermarkOptions
from obsirag.config.domains import normal_domain, normal_host
from obsirag.config.growth import GrowthOptions
from obsirag.config.listing import Option, list_options, options_as_markdown
from obsirag.config.load import load_config
from obsirag.config.model import ConfigModel
from obsirag.config.nearest import nearest_names
from obsirag.config.options import (
    CacheOptions,
    IndexingOptions,
    PreferenceOptions,
    RankingWeights,
    RerankOptions,
    RetrievalOptions,
    VaultOptions,
)
from obsirag.config.part import Part, resolve_options
from obsirag.config.plugins import PluginOptions
from obsirag.config.presets import with_preset
from obsirag.config.question_options import (
    AnswerOptions,
    AspectOptions,
    BudgetOptions,
    ConversationOptions,
    GradingOptions,
    IntentMessages,
    IntentOptions,
    ReviewOptions,
)
from obsirag.config.rag import Preset, RagConfig
from obsirag.config.splitting import SplitterOptions, SplitterRuleOptions
from obsirag.config.terms import TermOptions
from obsirag.config.tracing import TracingOptions
from obsirag.config.web_search import WebMode, WebSearchOptions

__all__ = [
    "AnswerOptions",
    "AspectOptions",
    "BudgetOptions",
    "CacheOptions",
    "CleaningOptions",
    "ConfigModel",
    "ConversationOptions",
    "GradingOptions",
    "GrowthOptions",
    "HeaderFooterOptions",
    "IndexingOptions",
    "IntentMessages",
    "IntentOptions",
    "Marker",
    "Option",
    "Part",
    "PluginOptions",
    "PreferenceOptions",
    "Preset",
    "RagConfig",
    "RankingWeights",
    "RerankOptions",
    "RetrievalOptions",
    "ReviewOptions",
    "SplitterOptions",
    "SplitterRuleOptions",
    "TermOptions",
    "TracingOptions",
    "VaultOptions",
    "WatermarkOptions",
    "WebMode",
    "WebSearchOptions",
    "list_options",
    "load_config",
    "nearest_names",
    "normal_domain",
    "normal_host",
    "options_as_markdown",
    "resolve_options",
    "with_preset",
]
