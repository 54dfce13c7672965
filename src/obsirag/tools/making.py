"""The one place where the tools are made."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ValidationError

from obsirag.config import RagConfig, with_preset
from obsirag.errors import ConfigError
from obsirag.records import labels_of
from obsirag.tools.arguments import AskArguments, ReadArguments, SearchArguments
from obsirag.tools.asking import NoteQuestion
from obsirag.tools.opening import Lazy
from obsirag.tools.reading import NoteReader
from obsirag.tools.searching import NoteSearch

if TYPE_CHECKING:
    from obsirag.catalogue import Catalogue
    from obsirag.components import Components
    from obsirag.graphs.wiring import RagGraph
    from obsirag.retrievers import StagedRetriever

Parts = Callable[[], "Components | None"]

__all__ = ["ask_tool", "note_tools", "read_note_tool", "search_tool"]

_LEAST_SIZE = 500

_SEARCH = (
    "Search the notes, by meaning and by words, in Chinese or English. Returns numbered passages, the best first, each "
    "with its note's path, its headings and its lines. Use it to find where something is written."
)
_READ = (
    "Read a note, or a part of it: under a heading, or some lines. Long notes come in parts. Use it when a passage "
    "that was found is not enough."
)
_ASK = (
    "Ask a question, and get an answer that is made from the notes alone, with numbered citations that were checked. "
    "If its status is not_found, the notes don't tell. Use it when an answer is wanted rather than passages."
)


def search_tool(
    config: RagConfig,
    *,
    labels: Collection[str] = (),
    components: Components | None = None,
    name: str = "search_notes",
    description: str = _SEARCH,
) -> StructuredTool:
    """Return a tool that searches the notes, for an agent.

    Its message has the passages as text, and as ``artifact`` :class:`SearchResults`. What goes wrong is told in
    words, in a message of status ``error``. The index is opened at the first call.

    Args:
        config: The configuration.
        labels: The permission labels that it searches with; the model that calls it cannot add any.
        components: Ready parts, instead of those that the configuration describes.
        name: The tool's name.
        description: What the model is told of it.

    Raises:
        ConfigError: If the labels are no strings.
    """
    return _search_tool(config, labels, lambda: components, name, description)


def _search_tool(
    config: RagConfig, labels: Collection[str], parts: Parts, name: str = "search_notes", description: str = _SEARCH
) -> StructuredTool:
    def opened() -> StagedRetriever:
        from obsirag.components import open_retriever

        return open_retriever(config, components=parts())

    searching = NoteSearch(Lazy(opened), _settled(config, labels), _vault_of(config), name)
    return _tool(name, description, SearchArguments, searching.search, searching.asearch)


def read_note_tool(
    config: RagConfig,
    *,
    labels: Collection[str] = (),
    max_characters: int = 8000,
    name: str = "read_note",
    description: str = _READ,
) -> StructuredTool:
    """Return a tool that reads a note, for an agent: what the index has of it, embedded text included.

    Its message has the text, and as ``artifact`` a :class:`NoteReading`. Text under labels that ``labels`` don't admit
    is left out, and a note of which nothing is left is not there.

    Args:
        config: The configuration.
        labels: The permission labels that it reads with; the model that calls it cannot add any.
        max_characters: The size of a part; a longer note is read in several calls. At least 500.
        name: The tool's name.
        description: What the model is told of it.

    Raises:
        ConfigError: If the labels are no strings, or ``max_characters`` is too small.
    """

    def opened() -> Catalogue:
        from obsirag.catalogue import Catalogue

        return Catalogue.open(config.index, create=False)

    if max_characters < _LEAST_SIZE:
        raise ConfigError(f"max_characters must be at least {_LEAST_SIZE}, not {max_characters}")
    reader = NoteReader(Lazy(opened), _settled(config, labels), _vault_of(config), max_characters, name)
    return _tool(name, description, ReadArguments, reader.read, reader.aread)


def ask_tool(
    config: RagConfig,
    *,
    labels: Collection[str] = (),
    components: Components | None = None,
    waits_for_review: bool = False,
    name: str = "ask_notes",
    description: str = _ASK,
) -> StructuredTool:
    """Return a tool that answers questions from the notes, for an agent: the question graph.

    Its message has the answer with its sources, and as ``artifact`` an :class:`AskResult`. Each call stands alone: the
    question has to say all that it is about.

    Args:
        config: The configuration.
        labels: The permission labels that it answers with; the model that calls it cannot add any.
        components: Ready parts, instead of those that the configuration describes.
        waits_for_review: Whether a question that a person has to look at interrupts the graph that the tool is called
            in, and is answered when that is taken up again; it needs a checkpointer then. If not, such a question is
            not answered, and its status is ``refused``.
        name: The tool's name.
        description: What the model is told of it.

    Raises:
        ConfigError: If the labels are no strings, or every question would wait for a person who can't be asked.
    """
    return _ask_tool(config, labels, lambda: components, waits_for_review, name, description)


def _ask_tool(
    config: RagConfig,
    labels: Collection[str],
    parts: Parts,
    waits_for_review: bool,
    name: str = "ask_notes",
    description: str = _ASK,
) -> StructuredTool:
    def opened() -> RagGraph:
        from obsirag.graphs import build_rag_graph

        return build_rag_graph(config, components=parts())

    held = _settled(config, labels)
    if with_preset(config).review.mode == "always" and not waits_for_review:
        raise ConfigError(
            "review: every question would wait for a person, and this tool cannot wait: give waits_for_review=True in "
            "a graph with a checkpointer, or set review: {mode: high_risk} or {mode: off}"
        )
    asking = NoteQuestion(Lazy(opened), held, waits_for_review, name)
    return _tool(name, description, AskArguments, asking.ask, asking.aask)


def note_tools(
    config: RagConfig,
    *,
    labels: Collection[str] = (),
    components: Components | None = None,
    waits_for_review: bool = False,
) -> list[StructuredTool]:
    """Return the three tools, ``search_notes``, ``read_note`` and ``ask_notes``; their models are loaded once.

    Args:
        config: The configuration.
        labels: The permission labels that they read with; the model that calls them cannot add any.
        components: Ready parts, instead of those that the configuration describes.
        waits_for_review: See :func:`ask_tool`.

    Raises:
        ConfigError: If the labels are no strings, or every question would wait for a person who can't be asked.
    """
    parts = Lazy(lambda: _shared(config, components))
    return [
        _search_tool(config, labels, parts),
        read_note_tool(config, labels=labels),
        _ask_tool(config, labels, parts, waits_for_review),
    ]


def _shared(config: RagConfig, components: Components | None) -> Components:
    """Return the parts that searching and asking both need, and that cost time and memory."""
    from obsirag.components import build_components
    from obsirag.plugins import Kind

    meaning: tuple[Kind, ...] = ("embeddings",) if config.retrieval.weights.vector else ()
    return build_components(config, components, kinds=(*meaning, "reranker"))


def _settled(config: RagConfig, labels: object) -> tuple[str, ...]:
    if not isinstance(config, RagConfig):
        kind = type(config).__name__
        raise ConfigError(f"A configuration is a RagConfig, not a {kind}: RagConfig(…) or load_config(path) makes one")
    return labels_of(labels)


def _vault_of(config: RagConfig) -> str:
    return config.vault.resolve().name


def _tool(
    name: str, description: str, arguments: type[BaseModel], call: Callable[..., Any], call_async: Callable[..., Any]
) -> StructuredTool:
    return StructuredTool(
        name=name,
        description=description,
        args_schema=arguments,
        func=call,
        coroutine=call_async,
        response_format="content_and_artifact",
        handle_tool_error=True,
        handle_validation_error=_wrong_arguments,
    )


def _wrong_arguments(error: Any) -> str:
    """Return what is wrong with the arguments of a call, in words."""
    if not isinstance(error, ValidationError):
        return "These arguments cannot be read."
    faults = (f"{'.'.join(map(str, each['loc'])) or 'the arguments'}: {each['msg']}" for each in error.errors())
    return f"These arguments are wrong. {'; '.join(faults)}."
