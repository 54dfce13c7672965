"""The configuration: pydantic models, frozen, from Python, YAML or TOML."""

from obsirag.config.cleaning import CleaningOptions, HeaderFooterOptions, Marker, WatermarkOptions
from obsirag.config.load import load_config
from obsirag.config.model import ConfigModel
from obsirag.config.nearest import nearest_names
from obsirag.config.options import (
    CacheOptions,
    IndexingOptions,
    RankingWeights,
    RerankOptions,
    RetrievalOptions,
    VaultOptions,
)
from obsirag.config.part import Part, resolve_options
from obsirag.config.question_options import AnswerOptions, BudgetOptions, ConversationOptions, GradingOptions
from obsirag.config.rag import RagConfig
from obsirag.config.splitting import SplitterOptions, SplitterRuleOptions

__all__ = [
    "AnswerOptions",
    "BudgetOptions",
    "CacheOptions",
    "CleaningOptions",
    "ConfigModel",
    "ConversationOptions",
    "GradingOptions",
    "HeaderFooterOptions",
    "IndexingOptions",
    "Marker",
    "Part",
    "RagConfig",
    "RankingWeights",
    "RerankOptions",
    "RetrievalOptions",
    "SplitterOptions",
    "SplitterRuleOptions",
    "VaultOptions",
    "WatermarkOptions",
    "load_config",
    "nearest_names",
    "resolve_options",
]
