"""The parts that a question's graph is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from langchain_core.documents import Document

from obsirag.config import (
    AnswerOptions,
    AspectOptions,
    BudgetOptions,
    ConversationOptions,
    GradingOptions,
    IntentOptions,
    RagConfig,
    RetrievalOptions,
    ReviewOptions,
    TermOptions,
    WebSearchOptions,
    with_preset,
)
from obsirag.errors import ConfigError
from obsirag.graphs.callers import CallerLabels, caller_labels
from obsirag.graphs.nodes.fuse import Living
from obsirag.graphs.nodes.select import Select
from obsirag.graphs.nodes.terms import VocabularyOf
from obsirag.graphs.own_nodes import Node
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.state import RagState
from obsirag.graphs.steps import TO_ANSWER
from obsirag.graphs.tracing import Observer, Tracing, open_tracing
from obsirag.graphs.vocabulary import Vocabulary

if TYPE_CHECKING:
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.language_models import BaseChatModel

    from obsirag.components import Components, NodeVersion
    from obsirag.plugins import Kind
    from obsirag.retrievers import Preferring, WebSearch

__all__ = ["RagParts", "Search", "documents_of", "open_parts"]


class Search(Protocol):
    """One way of searching: by vectors, by keywords."""

    def search(
        self,
        query: str,
        *,
        labels: Sequence[str] = (),
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - the name that retrievers use
        limit: int,
    ) -> list[Document]:
        """Return the best chunks that a caller with ``labels`` may read, best first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RagParts:
    """Everything that the nodes work with, ready to use.

    Args:
        vector_search: Search by meaning; None if it has no weight.
        keyword_search: Search by words; None if it has no weight.
        vault: The vault's name, for links.
        chat_model: Writes the answers; without one they are quoted.
        reranker: Puts the fused passages into a better order.
        web: Search in the web; None without a provider.
        web_options: When it is asked, and for how many pages.
        living: Takes out of rankings what is not in the index any more.
        preferring: Moves passages as people's marks say; None if they stay.
        select: Chooses among the fused passages; the best ``retrieval.limit`` documents if None.
        looks_into_intent: Whether it is looked into what a question is after.
        vocabulary: Gives the vault's terms that a caller may read; None if questions are searched for as they are.
        terms: How questions are brought to them.
        rewrites_follow_ups: Whether the chat model words follow-ups so that they stand alone.
        grades: Whether it is judged if what was found can answer the question.
        plans: Whether a question about several things is taken apart.
        aspects: Into how many.
        review: Which questions wait for a person before they are answered.
        retrieval: How many passages, and how they are fused.
        intent: How it is told what a question is after.
        conversation: How follow-ups are read.
        grading: How it is judged, and what is done if it can't.
        answers: How answers are made.
        budget: What one question may cost.
        prompts: The prompts.
        nodes: Nodes by the names of those whose places they take.
        versions: Versions by the names of the nodes that they are chosen for; ``nodes`` come before them.
        tracing: Lets observers watch the nodes.
        labels: Gives the labels of a run's caller.
    """

    vector_search: Search | None
    keyword_search: Search | None
    vault: str = ""
    chat_model: BaseChatModel | None = None
    reranker: BaseDocumentCompressor | None = None
    web: WebSearch | None = None
    web_options: WebSearchOptions = field(default_factory=WebSearchOptions)
    living: Living | None = None
    preferring: Preferring | None = None
    select: Select | None = None
    looks_into_intent: bool = False
    vocabulary: VocabularyOf | None = None
    terms: TermOptions = field(default_factory=TermOptions)
    rewrites_follow_ups: bool = False
    grades: bool = False
    plans: bool = False
    aspects: AspectOptions = field(default_factory=AspectOptions)
    review: ReviewOptions = field(default_factory=ReviewOptions)
    retrieval: RetrievalOptions = field(default_factory=RetrievalOptions)
    intent: IntentOptions = field(default_factory=IntentOptions)
    conversation: ConversationOptions = field(default_factory=ConversationOptions)
    grading: GradingOptions = field(default_factory=GradingOptions)
    answers: AnswerOptions = field(default_factory=AnswerOptions)
    budget: BudgetOptions = field(default_factory=BudgetOptions)
    prompts: Prompts = field(default_factory=Prompts)
    nodes: Mapping[str, Node] = field(default_factory=dict)
    versions: Mapping[str, NodeVersion] = field(default_factory=dict)
    tracing: Tracing = field(default_factory=Tracing)
    labels: CallerLabels = caller_labels

    def holds(self, state: RagState) -> bool:
        """Say whether the present question waits for a person before it is answered."""
        is_high_risk = state["intent"]["kind"] == "high_risk"
        return self.review.mode == "always" or (self.review.mode == "high_risk" and is_high_risk)

    @property
    def may_hold(self) -> bool:
        """Whether any question may."""
        return self.review.is_on

    @property
    def may_rewrite(self) -> bool:
        """Whether a question may be put in other words and searched for again."""
        return self.grades and self.chat_model is not None and self.grading.max_rewrites > 0

    @property
    def steps_to_search(self) -> int:
        """How many steps a further round takes: other words, searching, fusing, ordering and judging; the answer."""
        return 1 + 2 + (self.reranker is not None) + (self.select is not None) + 1 + TO_ANSWER

    @property
    def falls_back_on_web(self) -> bool:
        """Whether the web is searched where the notes are not enough."""
        return self.web is not None and self.web_options.mode == "fallback"

    @property
    def searches(self) -> dict[str, Search]:
        """The searches that each question is put to, by name."""
        named = {
            "vector_search": self.vector_search,
            "keyword_search": self.keyword_search,
            "web_search": self.web if self.web_options.mode == "hybrid" else None,
        }
        return {name: search for name, search in named.items() if search is not None}


def documents_of(given: object) -> list[Document]:
    """Return the documents that a part gave, which may be anybody's code.

    Raises:
        TypeError: If it gave something else.
    """
    if not isinstance(given, Iterable):
        raise TypeError("no documents")
    documents: list[Document] = []
    for each in given:
        if not isinstance(each, Document):
            raise TypeError("not a document")
        documents.append(each)
    return documents


def open_parts(config: RagConfig, components: Components | None = None, observers: Sequence[Observer] = ()) -> RagParts:
    """Return the parts that a configuration describes.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        observers: Watch the nodes, beside those that the configuration describes.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        CatalogueError: If there is no index, or it cannot be opened, or was made with another embedding model.
    """
    from obsirag.components import (
        build_components,
        build_observers,
        choose_versions,
        open_glossary,
        open_retriever,
        open_web_search,
    )

    if not isinstance(config, RagConfig):
        kind = type(config).__name__
        raise ConfigError(f"A configuration is a RagConfig, not a {kind}: RagConfig(…) or load_config(path) makes one")
    config = with_preset(config)
    prompts = Prompts(config.prompts)
    prompts.check()
    tracing = open_tracing(config.tracing, [*build_observers(config), *observers])
    weights = config.retrieval.weights
    # Without a weight for vectors, no model is loaded.
    kinds: tuple[Kind, ...] = ("chat_model", "reranker", *(("embeddings",) if weights.vector else ()))
    ready = build_components(config, components, kinds=kinds)
    retriever = open_retriever(config, components=ready)
    return RagParts(
        vector_search=retriever.vectors if weights.vector else None,
        keyword_search=retriever.keywords if weights.keyword else None,
        vault=config.vault.resolve().name,
        chat_model=ready.chat_model,
        reranker=ready.reranker,
        web=open_web_search(config, components=ready),
        web_options=config.web_search,
        living=retriever.keywords.living,
        preferring=retriever.preferring,
        select=lambda chunks, labels: retriever.select(chunks, labels=labels),
        vocabulary=open_glossary(config, Vocabulary).readable if config.terms.is_on else None,
        terms=config.terms,
        looks_into_intent=bool(config.intent.enabled),
        rewrites_follow_ups=bool(config.conversation.rewrite),
        grades=bool(config.grading.enabled),
        plans=bool(config.aspects.enabled),
        aspects=config.aspects,
        review=config.review,
        retrieval=config.retrieval,
        intent=config.intent,
        conversation=config.conversation,
        grading=config.grading,
        answers=config.answers,
        budget=config.budget,
        prompts=prompts,
        versions=choose_versions(config),
        tracing=tracing,
    )
