"""What a version of a node is made with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.language_models import BaseChatModel

    from obsirag.config import AnswerOptions, BudgetOptions, GradingOptions, RetrievalOptions

__all__ = ["NodeParts"]


class NodeParts(Protocol):
    """The parts and the options of a question graph, for those who make a version of one of its nodes."""

    @property
    def chat_model(self) -> BaseChatModel | None:
        """Writes the answers; None if there is none."""

    @property
    def reranker(self) -> BaseDocumentCompressor | None:
        """Puts passages into a better order; None if there is none."""

    @property
    def retrieval(self) -> RetrievalOptions:
        """How many passages, and how they are fused and put in order."""

    @property
    def grading(self) -> GradingOptions:
        """How it is judged whether they can answer the question."""

    @property
    def answers(self) -> AnswerOptions:
        """How answers are made."""

    @property
    def budget(self) -> BudgetOptions:
        """What one question may cost."""
