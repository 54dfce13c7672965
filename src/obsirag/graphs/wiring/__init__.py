"""How a question graph is put together, stretch by stretch; what isn't configured isn't there."""

from obsirag.graphs.wiring.answering import add_answer
from obsirag.graphs.wiring.before_searching import add_question
from obsirag.graphs.wiring.searching import add_judging, add_ordering, add_searches
from obsirag.graphs.wiring.wiring import RagGraph, Wiring

__all__ = ["RagGraph", "Wiring", "add_answer", "add_judging", "add_ordering", "add_question", "add_searches"]
