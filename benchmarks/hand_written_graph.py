"""The question graph as one would write it by hand: as many steps as obsirag's, and in each only what it is for.

It checks no permissions, budgets, deadlines or marks, keeps no working state apart, and takes nothing back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Send

from obsirag.graphs.nodes.grade import Grades
from obsirag.graphs.parts import Search

__all__ = ["hand_written_graph"]


def _joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {**old, **new}


class _State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    question: str
    rankings: Annotated[dict[str, list[Document]], _joined]
    evidence: list[Document]
    answer: str
    citations: list[dict[str, Any]]


def hand_written_graph(searches: dict[str, Search], model: BaseChatModel, *, grades: bool) -> StateGraph[_State]:
    """Return a graph: question → searches side by side → fusion → selection → [grading] → answer → check → result.

    Args:
        searches: The searches by name.
        model: The chat model.
        grades: Whether it judges the passages.
    """
    graph = StateGraph(_State)
    asking = _Asking(model)
    graph.add_node("take_question", _take_question)
    graph.add_edge(START, "take_question")
    graph.add_conditional_edges("take_question", lambda state: _to_searches(state, [*searches]), [*searches])
    for name, search in searches.items():
        graph.add_node(name, _searching(name, search))
        graph.add_edge(name, "fuse")
    nodes: dict[str, Any] = {"fuse": _fuse, "select": _select}
    nodes |= {"grade": asking.grade} if grades else {}
    nodes |= {"answer": asking.answer, "verify": _verify, "publish": _publish}
    for name, following in zip(nodes, [*nodes, END][1:], strict=True):
        graph.add_node(name, nodes[name])
        graph.add_conditional_edges(name, lambda _, following=following: following, [following])
    return graph


def _take_question(state: _State) -> dict[str, Any]:
    return {"question": state["messages"][-1].text, "evidence": [], "answer": "", "citations": []}


def _to_searches(state: _State, names: list[str]) -> list[Send]:
    return [Send(name, {"query": state["question"]}) for name in names]


def _searching(name: str, search: Search) -> Any:
    return lambda state: {"rankings": {name: search.search(state["query"], limit=100)}}


def _fuse(state: _State) -> dict[str, Any]:
    scores: dict[str, float] = {}
    documents = {}
    for ranking in state["rankings"].values():
        for rank, document in enumerate(ranking, 1):
            name = document.metadata["chunk_id"]
            scores[name] = scores.get(name, 0) + 1 / (60 + rank)
            documents[name] = document
    return {"evidence": [documents[name] for name in sorted(documents, key=lambda name: -scores[name])]}


def _select(state: _State) -> dict[str, Any]:
    return {"evidence": state["evidence"][:5]}


@dataclass(frozen=True)
class _Asking:
    """The nodes that ask the chat model."""

    model: BaseChatModel

    def grade(self, state: _State) -> dict[str, Any]:
        prompt = f"{_passages(state)}\n\nQuestion: {state['question']}\n\nScore each passage from 0 to 1, as JSON."
        judged: Any = self.model.with_structured_output(Grades).invoke([SystemMessage("Judge."), HumanMessage(prompt)])
        good = {each.id for each in judged["parsed"].grades if each.score >= 0.5}
        return {"evidence": [each for number, each in enumerate(state["evidence"], 1) if number in good]}

    def answer(self, state: _State) -> dict[str, Any]:
        prompt = f"{_passages(state)}\n\nQuestion: {state['question']}\n\nAnswer with the numbers of the passages."
        return {"answer": self.model.invoke([SystemMessage("Answer."), HumanMessage(prompt)]).text}


def _passages(state: _State) -> str:
    return "\n".join(f"[{number}] {each.page_content}" for number, each in enumerate(state["evidence"], 1))


def _verify(state: _State) -> dict[str, Any]:
    cited = [each for number, each in enumerate(state["evidence"], 1) if f"[{number}]" in state["answer"]]
    return {"citations": [{"source": each.metadata["source"], "quote": each.page_content} for each in cited]}


def _publish(state: _State) -> dict[str, Any]:
    return {"messages": [AIMessage(state["answer"], additional_kwargs={"citations": state["citations"]})]}
