"""The retrieval and the answers of a configuration, evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from langgraph.checkpoint.memory import InMemorySaver

from obsirag.components import Components, open_retriever
from obsirag.config import RagConfig, with_preset
from obsirag.errors import CatalogueError
from obsirag.evaluation.answer_report import AnswerReport
from obsirag.evaluation.answer_results import AnswerResult
from obsirag.evaluation.answers import evaluate_answers
from obsirag.evaluation.key_points import Judge
from obsirag.evaluation.questions import Question
from obsirag.evaluation.report import RetrievalReport
from obsirag.evaluation.results import QuestionResult
from obsirag.evaluation.retrieval import evaluate_retrieval
from obsirag.graphs import build_rag_graph

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from obsirag.graphs import Observer
    from obsirag.retrievers import StagedRetriever
    from obsirag.vault import Vault

__all__ = ["evaluate_config", "evaluate_config_answers"]


def evaluate_config(
    config: RagConfig,
    questions: Sequence[Question],
    *,
    components: Components | None = None,
    vault: Vault | None = None,
    k: Sequence[int] = (1, 5, 10),
    retriever: StagedRetriever | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    on_result: Callable[[Question, QuestionResult, Sequence[Document]], None] | None = None,
) -> RetrievalReport:
    """Ask a configuration's index every question; see ``evaluate_retrieval`` for what is counted.

    What is asked is the retriever as it is configured: with ``retrieval.limit: 5`` nothing is found at the rank of the
    sixth note. Whether text leaked is judged by the vault itself, not by what the index says of it.

    Args:
        config: The configuration, whose vault is indexed.
        questions: What to ask.
        components: Ready parts, instead of those that the configuration describes.
        vault: The configuration's vault, if it is open already.
        k: The ranks at which recall, hits and gain are reported.
        retriever: The configuration's retriever, if it is open already; ``components`` are not used then.
        progress: Called with the number of questions done, the number of all, and the question's id.
        on_result: Called with each question, its result and the chunks that came back, which are not kept.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read.
        CatalogueError: If there is no index, nothing is in it, or it was made with another embedding model.
        ServiceError: If the search fails.
    """
    _check_index(config)
    notes = vault or _open_vault(config)
    permissions = {path: notes.note(path).permissions for path in notes.paths()}
    asked = retriever or open_retriever(config, components=components)
    return evaluate_retrieval(asked, questions, k=k, permissions=permissions, progress=progress, on_result=on_result)


def evaluate_config_answers(
    config: RagConfig,
    questions: Sequence[Question],
    *,
    components: Components | None = None,
    vault: Vault | None = None,
    judge: Judge | None = None,
    observers: Sequence[Observer] = (),
    progress: Callable[[int, int, str], None] | None = None,
    on_result: Callable[[Question, AnswerResult], None] | None = None,
) -> AnswerReport:
    """Ask a configuration's question graph every question; see ``evaluate_answers`` for what is counted.

    Citations and leaks are judged by the vault itself, not by what the index says of it.

    Args:
        config: The configuration, whose vault is indexed.
        questions: What to ask.
        components: Ready parts, instead of those that the configuration describes.
        vault: The configuration's vault, if it is open already.
        judge: Says how far an answer states each key point of a question; by rule if not given.
        observers: Watch the nodes of the graph, such as a ``RunRecorder``.
        progress: Called with the number of questions done, the number of all, and the question's id.
        on_result: Called with each question and its result, before the next one is asked.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read.
        CatalogueError: If there is no index, nothing is in it, or it was made with another embedding model.
        ValueError: If the judge's scores don't fit.
    """
    _check_index(config)
    # Nobody decides on a question that waits for a person: its run ends there.
    checkpointer = InMemorySaver() if with_preset(config).review.is_on else None
    graph = build_rag_graph(config, components=components, observers=observers).compile(checkpointer=checkpointer)
    notes = vault or _open_vault(config)
    return evaluate_answers(graph, questions, vault=notes, judge=judge, progress=progress, on_result=on_result)


def _check_index(config: RagConfig) -> None:
    from obsirag.catalogue import Catalogue

    with Catalogue.open(config.index, create=False) as catalogue:
        if not catalogue.chunk_count():
            raise CatalogueError(
                f"The index in {config.index} is empty. Index the vault first: index_vault, or `obsirag index`."
            )


def _open_vault(config: RagConfig) -> Vault:
    from obsirag.components import open_vault

    return open_vault(config)
