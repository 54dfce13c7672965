"""From the configuration to ready parts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from obsirag.components.defaults import choose_embeddings, choose_store
from obsirag.components.loaders import build_loaders
from obsirag.components.one_part import build_part, check_part
from obsirag.components.parts import Components
from obsirag.components.splitters import built_in_splitter
from obsirag.config import Part, RagConfig, SplitterOptions
from obsirag.errors import ConfigError
from obsirag.plugins import KINDS, Kind, Registry

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.vectorstores import VectorStore
    from langchain_text_splitters import TextSplitter

    from obsirag.cleaning import CleaningStep
    from obsirag.splitters import FindTopics

__all__ = ["build_components", "choose_keyword_index", "store_opener"]

_AUTO = "auto"


def build_components(
    config: RagConfig,
    components: Components | None = None,
    *,
    kinds: Collection[Kind] = KINDS,
    registry: Registry | None = None,
) -> Components:
    """Return the parts that the configuration describes; those given ready stay as they are.

    The vector store is checked but not opened: its users open it when they need it, and anew when another process
    changed it (``store_opener``).

    Args:
        config: The configuration.
        components: Parts that are ready.
        kinds: Which kinds are needed; others are left as they are.
        registry: Where plugins are looked up; those installed if None.

    Raises:
        ConfigError: If options are wrong, or ``offline`` forbids a part.
        PluginError: If a part cannot be made.
    """
    if not isinstance(components, Components | None):
        raise ConfigError(f"components must be Components(...), not a {type(components).__name__}")
    given = components or Components()
    plugins = registry or Registry(options=config.plugins)
    built: dict[str, Any] = {}
    if "embeddings" in kinds and given.embeddings is None:
        built["embeddings"] = build_part(config, plugins, "embeddings", choose_embeddings(config))
    for kind, part in _optional_parts(config).items():
        if kind in kinds and part is not None and getattr(given, kind) is None:
            built[kind] = build_part(config, plugins, kind, part)
    if "vector_store" in kinds and given.vector_store is None:
        check_part(config, plugins, "vector_store", choose_store(config))
    if "keyword_index" in kinds and given.keyword_index is None:
        index = choose_keyword_index(config, plugins)
        if index is not None:
            check_part(config, plugins, "keyword_index", index)
    if "splitter" in kinds and given.splitter is None:
        built["splitter"] = _build_splitter(config, plugins, replace(given, **built))
    if "cleaner" in kinds and given.cleaners is None:
        built["cleaners"] = _build_cleaners(config, plugins)
    if "loader" in kinds and given.loaders is None:
        built["loaders"] = build_loaders(config, plugins)
    return replace(given, **built)


def store_opener(
    config: RagConfig, components: Components | None = None, *, registry: Registry | None = None
) -> Callable[[Embeddings], VectorStore]:
    """Return what opens the vector store, anew with each call.

    Args:
        config: The configuration.
        components: Parts that are ready; a store among them is returned as it is.
        registry: Where plugins are looked up; those installed if None.
    """
    ready = components.vector_store if components else None
    plugins = registry or Registry(options=config.plugins)

    def open_store(embeddings: Embeddings) -> VectorStore:
        if ready is not None:
            return ready
        part = choose_store(config)
        config.index.mkdir(mode=0o700, parents=True, exist_ok=True)
        store: VectorStore = build_part(
            config, plugins, "vector_store", part, embeddings=embeddings, folder=config.index
        )
        return store

    return open_store


def choose_keyword_index(config: RagConfig, plugins: Registry) -> Part | None:
    """Return the keyword index to use; None for the catalogue's own.

    For ``auto`` it is that of the vector store's plugin, if it makes one, with the same options.
    """
    part = config.keyword_index
    if part is None or part.name != _AUTO:
        return part
    store = choose_store(config)
    return store if "keyword_index" in plugins.load(store.name).kinds else None


def _optional_parts(config: RagConfig) -> dict[Kind, Part | None]:
    # A provider that is never to be asked needs no key, and leaves nothing for `offline` to refuse.
    provider = config.search_provider if config.web_search.mode != "strict" else None
    return {"chat_model": config.chat_model, "reranker": config.reranker, "search_provider": provider}


def _build_splitter(config: RagConfig, plugins: Registry, ready: Components) -> TextSplitter:
    if isinstance(config.splitter, SplitterOptions):
        find_topics = _topic_finder(config, plugins, ready.chat_model) if config.splitter.asks_model else None
        return built_in_splitter(config.splitter, ready.embeddings, find_topics)
    splitter: TextSplitter = build_part(config, plugins, "splitter", config.splitter)
    return splitter


def _topic_finder(config: RagConfig, plugins: Registry, chat_model: BaseChatModel | None) -> FindTopics:
    from obsirag.components.topics import ModelTopics

    if chat_model is not None:
        return ModelTopics(chat_model, config.index).find
    if config.chat_model is None:
        raise ConfigError(
            "`splitter.ask_model` asks the chat model where topics begin, and there is none: add `chat_model: {name: "
            "openai, model: …}`, or set `ask_model: never`"
        )
    return ModelTopics(build_part(config, plugins, "chat_model", config.chat_model), config.index).find


def _build_cleaners(config: RagConfig, plugins: Registry) -> tuple[CleaningStep, ...]:
    steps: list[CleaningStep] = []
    for index, part in enumerate(config.cleaning.steps):
        options = check_part(config, plugins, "cleaner", part, place=f"cleaning.steps.{index}")
        maker = str(plugins.load(part.name))
        steps += (replace(each, origin=maker) for each in plugins.build_all("cleaner", part.name, options))
    return tuple(steps)
