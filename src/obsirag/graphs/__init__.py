"""LangGraph graphs over the parts: indexing, and questions answered from the notes with citations that are checked."""

from obsirag.graphs.answered import AnsweredTurn, last_answer
from obsirag.graphs.bounds import GraphBounds, graph_bounds
from obsirag.graphs.indexing import build_index_graph
from obsirag.graphs.progress import Progress
from obsirag.graphs.rag import build_rag_graph
from obsirag.graphs.reviews import WaitingReview, waiting_review
from obsirag.graphs.state import RagContext, RagInput, RagOutput, RagState
from obsirag.graphs.thread_permissions import removals_for
from obsirag.graphs.tracing import NodeEnd, NodeStart, Observer, RunRecorder

__all__ = [
    "AnsweredTurn",
    "GraphBounds",
    "NodeEnd",
    "NodeStart",
    "Observer",
    "Progress",
    "RagContext",
    "RagInput",
    "RagOutput",
    "RagState",
    "RunRecorder",
    "WaitingReview",
    "build_index_graph",
    "build_rag_graph",
    "graph_bounds",
    "last_answer",
    "removals_for",
    "waiting_review",
]
