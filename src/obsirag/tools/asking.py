"""Ask the notes a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from obsirag.graphs import RagContext
from obsirag.graphs.language import language_of
from obsirag.graphs.prompts import notice
from obsirag.graphs.wiring import RagGraph
from obsirag.retrievers.deadlines import in_thread
from obsirag.tools.faults import told
from obsirag.tools.opening import Lazy
from obsirag.tools.results import AskResult, encodable
from obsirag.tools.wording import in_words_answered

__all__ = ["NoteQuestion"]


@dataclass(frozen=True, slots=True)
class NoteQuestion:
    """Answer a question from the notes.

    Args:
        graph: Builds the question graph.
        labels: The labels that it answers with, whatever the context of a run that calls it says.
        waits: Whether a question that a person has to look at waits, in the run that calls this, and is answered when
            that is taken up again. If not, each call stands alone, and such a question is not answered.
        name: The tool's name, for the log.
    """

    graph: Lazy[RagGraph]
    labels: tuple[str, ...]
    waits: bool
    name: str

    def ask(self, question: str) -> tuple[str, AskResult]:
        """Return the answer, in words and as data."""
        with told(self.name):
            graph = self._compiled()
            return self._given(question, graph.invoke(_asked(question), self._run(), context=self._context))

    async def aask(self, question: str) -> tuple[str, AskResult]:
        """Do the same without holding up the event loop."""
        with told(self.name):
            graph = await in_thread(self._compiled)
            return self._given(question, await graph.ainvoke(_asked(question), self._run(), context=self._context))

    @property
    def _context(self) -> RagContext:
        return RagContext(labels=list(self.labels))

    def _compiled(self) -> Any:
        # A saver of its own lets a question stop for a person, and is gone after the call.
        return self.graph().compile(checkpointer=None if self.waits else InMemorySaver())

    def _run(self) -> RunnableConfig | None:
        # With a thread of its own, the call has no part in the thread and the saver of the run that it is made in.
        return None if self.waits else {"configurable": {"thread_id": uuid4().hex}}

    @staticmethod
    def _given(question: str, output: Mapping[str, Any]) -> tuple[str, AskResult]:
        result = AskResult(
            answer=output["answer"],
            status=output["status"],
            citations=list(output["citations"]),
            degraded=list(output["degraded"]),
        )
        if result["status"] == "awaiting_review":
            # Nobody will take it up again.
            result |= {"status": "refused", "answer": notice("needs_person", language_of(question))}
        result = encodable(result)
        return in_words_answered(result), result


def _asked(question: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(question)]}
