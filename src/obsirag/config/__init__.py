"""The configuration: pydantic models, frozen, from Python, YAML or TOML."""

from obsirag.config.cleaning import CleaningOptions, HeaderFooterOptions, Marker, WatermarkOptions
from obsirag.config.domains import normal_domain, normal_host
from obsirag.config.load import load_config
from obsirag.config.model import ConfigModel
from obsirag.config.nearest import nearest_names
from obsirag.config.options import (
    AnswerOptions,
    IndexingOptions,
    RankingWeights,
    RetrievalOptions,
    VaultOptions,
)
from obsirag.config.part import Part, resolve_options
from obsirag.config.rag import RagConfig
from obsirag.config.splitting import SplitterOptions, SplitterRuleOptions
from obsirag.config.web_search import WebMode, WebSearchOptions

__all__ = [
    "AnswerOptions",
    "CleaningOptions",
    "ConfigModel",
    "HeaderFooterOptions",
    "IndexingOptions",
    "Marker",
    "Part",
    "RagConfig",
    "RankingWeights",
    "RetrievalOptions",
    "SplitterOptions",
    "SplitterRuleOptions",
    "VaultOptions",
    "WatermarkOptions",
    "WebMode",
    "WebSearchOptions",
    "load_config",
    "nearest_names",
    "normal_domain",
    "normal_host",
    "resolve_options",
]
