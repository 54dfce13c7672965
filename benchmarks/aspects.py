"""How the time of a question grows with the number of its aspects, where searches and the chat model take their time.

    python benchmarks/aspects.py
    python benchmarks/aspects.py --wait 0.2 --questions 20

Each search takes the time that is given, and each answer of the chat model three times that; the last aspect's takes
twice as long as the others'. Aspects are worked on side by side, so that a question should take what its slowest aspect
takes: the ratio to one after the other says by how much that is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from statistics import median
from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda

from obsirag.config import AspectOptions
from obsirag.graphs.nodes.plan import Part, Parts
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.records.places import Place, places_to_json

COUNTS = (1, 3, 6)
SLOW = 2
_ANSWER = 3


def aspect(number: int) -> str:
    return f"How long is the respawn timer of map{number}?"


class SlowSearch:
    """Finds the note of the map that is asked for, after a while."""

    def __init__(self, wait: float, slow: str) -> None:
        self._wait, self._slow = wait, slow

    def search(self, query: str, **_: Any) -> list[Document]:
        """Return it."""
        time.sleep(self._wait * (SLOW if self._slow in query else 1))
        name = query.rsplit(" ", 1)[-1].strip("?")
        text = f"The respawn timer of {name} is 8 seconds."
        source = f"{name}.md"
        places = places_to_json([Place(0, source, 1, ())])
        metadata = {"source": source, "chunk_id": source, "places": places, "permissions": [], "score": 1.0}
        return [Document(text, id=source, metadata=metadata)]


class SlowChat(BaseChatModel):
    """Takes a question apart as it is told, and answers from the first passage, after a while."""

    wait: float
    slow: str
    count: int

    @property
    def _llm_type(self) -> str:
        return "slow"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        time.sleep(self._time(messages))
        return self._result(messages)

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        await asyncio.sleep(self._time(messages))
        return self._result(messages)

    def _time(self, messages: list[BaseMessage]) -> float:
        return self.wait * _ANSWER * (SLOW if self.slow in str(messages[-1].content) else 1)

    def _result(self, messages: list[BaseMessage]) -> ChatResult:
        asked = str(messages[-1].content).rpartition("respawn timer of ")[2].partition("?")[0]
        message = AIMessage(f"The respawn timer of {asked} is 8 seconds [1].")
        return ChatResult(generations=[ChatGeneration(message=message)])

    def with_structured_output(self, *_: Any, **__: Any) -> Any:
        """Return what takes a question apart at once."""
        parts = Parts(parts=[Part(question=aspect(number)) for number in range(1, self.count + 1)])
        given = {"raw": AIMessage("{}"), "parsed": parts, "parsing_error": None}

        async def plan(_: Any) -> Any:
            return given

        return RunnableLambda(lambda _: given, afunc=plan)


def seconds(count: int, wait: float, questions: int, *, is_async: bool) -> float:
    """Return the median time of a question with so many aspects."""
    slow = f"map{count}?"
    model = SlowChat(wait=wait, slow=slow, count=count)
    searches = {"vector_search": SlowSearch(wait, slow), "keyword_search": SlowSearch(wait, slow)}
    parts = RagParts(**searches, chat_model=model, plans=True, aspects=AspectOptions(most=max(COUNTS)))
    graph = wire_rag_graph(parts).compile()
    question = {"messages": [("user", " ".join(aspect(number) for number in range(1, count + 1)))]}
    times = []
    for _ in range(questions):
        start = time.perf_counter()
        result = asyncio.run(graph.ainvoke(question)) if is_async else graph.invoke(question)
        times.append(time.perf_counter() - start)
        assert len(result["citations"]) == count, result["answer"]
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=10, metavar="N", help="for each figure (%(default)s)")
    parser.add_argument("--wait", type=float, default=0.1, metavar="S", help="of a search, in seconds (%(default)s)")
    arguments = parser.parse_args()
    wait = arguments.wait
    slowest = wait * SLOW * (1 + _ANSWER)
    print("| way | aspects | seconds | × slowest aspect | × one after the other |\n|---|--:|--:|--:|--:|")
    for is_async in (False, True):
        for count in COUNTS:
            taken = seconds(count, wait, arguments.questions, is_async=is_async)
            in_turn = wait * (1 + _ANSWER) * (count - 1 + SLOW)
            ratios = f"{taken / slowest:.2f} | {taken / in_turn:.2f}"
            print(f"| {'async' if is_async else 'sync'} | {count} | {taken:.3f} | {ratios} |")


if __name__ == "__main__":
    main()
