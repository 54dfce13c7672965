"""What the question graph itself costs, beside a hand-written LangGraph graph of as many steps: time and memory.

    python benchmarks/graph.py
    python benchmarks/graph.py --questions 20 --turns 30      quickly

Searches and the chat model answer at once, so that what is left is the graph. Both graphs are asked in turns, in one
process. Times are CPU seconds of the whole process, threads included, so that a busy machine says little; throughput is
by the clock. A thread's storage grows with the square of its turns under LangGraph's savers, which keep the messages
anew with each checkpoint; `--turns` counts with one checkpoint kept a thread, `--kept-turns` with all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from hand_written_graph import hand_written_graph
from obsirag.graphs.nodes.grade import Grade, Grades
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.records.places import Place, places_to_json

QUESTION = "How long is the respawn timer of the arena, and who sets it?"
TEXT = (
    "The respawn timer of map {0} is {0} seconds. It is set by the game mode when a player dies, and shown in the HUD. "
    "Designers change it in the data table of the map; a restart is not needed.\n\n- Arena: {0} s\n- Duel: half of it\n"
)


class Hits:
    """A search that always finds the same notes."""

    def __init__(self, first: int) -> None:
        self._hits = [_chunk(number) for number in range(first, first + 10)]

    def search(self, query: str, *, limit: int, **_: Any) -> list[Document]:
        """Return them."""
        return self._hits[:limit] if query else []


def _chunk(number: int) -> Document:
    name = f"Maps/Map {number}.md"
    fields = {"source": name, "title": f"Map {number}", "headings": ["Timers"], "chunk_id": name, "score": 1 / number}
    places = places_to_json([Place(0, name, 1, ("Timers",))])
    return Document(TEXT.format(number), id=name, metadata={**fields, "places": places, "permissions": []})


class InstantChat(BaseChatModel):
    """A chat model that answers at once."""

    @property
    def _llm_type(self) -> str:
        return "instant"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:  # noqa: ARG002
        text = "It is seven seconds long [1]. The game mode sets it when a player dies [2]."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return self._generate(messages)

    def with_structured_output(self, *_: Any, **__: Any) -> Any:
        """Return what judges all passages to be good."""
        grades = Grades(grades=[Grade(id=number, score=0.9) for number in range(1, 4)])
        given = {"raw": AIMessage("{}"), "parsed": grades, "parsing_error": None}

        async def judge(_: Any) -> Any:
            return given

        return RunnableLambda(lambda _: given, afunc=judge)


def make_graphs(*, grades: bool, **options: Any) -> tuple[Any, Any]:
    """Return obsirag's graph and the hand-written one, compiled."""
    vectors, keywords, model = Hits(1), Hits(6), InstantChat()
    parts = RagParts(
        vector_search=vectors,
        keyword_search=keywords,
        chat_model=model,
        grades=grades,
        select=lambda chunks, _: chunks[:5],
        vault="notes",
    )
    other = hand_written_graph({"vector_search": vectors, "keyword_search": keywords}, model, grades=grades)
    return wire_rag_graph(parts).compile(**options), other.compile(**options)


def asked(thread: object, question: str = QUESTION) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"messages": [("user", question)]}, {"configurable": {"thread_id": str(thread)}}


def overhead(graphs: tuple[Any, Any], questions: int, *, is_async: bool) -> tuple[float, float]:
    """Return the median CPU seconds of a question, of both graphs."""
    times: tuple[list[float], list[float]] = ([], [])

    async def ask_async() -> None:
        for _ in range(questions):
            for graph, spent in zip(graphs, times, strict=True):
                start = time.process_time()
                await graph.ainvoke(*asked("a"))
                spent.append(time.process_time() - start)

    if is_async:
        asyncio.run(ask_async())
    else:
        for _ in range(questions):
            for graph, spent in zip(graphs, times, strict=True):
                start = time.process_time()
                graph.invoke(*asked("a"))
                spent.append(time.process_time() - start)
    return median(times[0]), median(times[1])


def throughput(graph: Any, questions: int, workers: int) -> float:
    """Return how many questions a second are answered, so many at a time."""
    with ThreadPoolExecutor(workers) as pool:
        start = time.perf_counter()
        answers = pool.map(lambda number: graph.invoke(*asked(number)), range(questions))
        assert all(each["messages"][-1].text for each in answers)
        return questions / (time.perf_counter() - start)


class LastOnly(InMemorySaver):
    """Keeps the last checkpoint of each thread."""

    def keep_last(self) -> None:
        """Forget all others, with their writes and values."""
        for thread, spaces in self.storage.items():
            for space, checkpoints in spaces.items():
                last = max(checkpoints)
                versions = self.serde.loads_typed(checkpoints[last][0])["channel_versions"]
                spaces[space] = {last: checkpoints[last]}
                for key in [each for each in self.blobs if each[0] == thread and versions.get(each[2]) != each[3]]:
                    del self.blobs[key]
        self.writes.clear()

    def sizes(self) -> tuple[int, int]:
        """Return the bytes of the messages' values, and of all others."""
        sizes = {True: 0, False: 0}
        for key, (_, value) in self.blobs.items():
            sizes[key[2] == "messages"] += len(value)
        for spaces in self.storage.values():
            for checkpoints in spaces.values():
                sizes[False] += sum(len(each[0][1]) + len(each[1][1]) for each in checkpoints.values())
        return sizes[True], sizes[False]


@contextmanager
def memory() -> Iterator[Callable[[], int]]:
    """Yield what returns the bytes that were taken since, and not given back."""
    gc.collect()
    tracemalloc.start()

    def taken() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    try:
        yield taken
    finally:
        tracemalloc.stop()


def long_thread(which: int, turns: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield, now and then, the turns so far, the bytes of the messages, of the other state, and of the process."""
    saver = LastOnly()
    graph = make_graphs(grades=True, checkpointer=saver)[which]
    marks = {max(1, turns // 100), max(2, turns // 10), turns}
    graph.invoke(*asked("warm"))
    saver.delete_thread("warm")
    with memory() as taken:
        for turn in range(1, turns + 1):
            graph.invoke(*asked("one"))
            saver.keep_last()
            if turn in marks:
                yield (turn, *saver.sizes(), taken())


def many_threads(which: int, threads: int) -> int:
    """Return the bytes that a thread of one question takes in the process."""
    saver = InMemorySaver()
    graph = make_graphs(grades=True, checkpointer=saver)[which]
    graph.invoke(*asked("warm"))
    with memory() as taken:
        for number in range(threads):
            graph.invoke(*asked(number))
        return taken() // threads


def kept_file(which: int, turns: int) -> list[int]:
    """Return the size of a thread's file after half of the turns and after all, every checkpoint kept."""
    sizes = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "threads.sqlite"
        with SqliteSaver.from_conn_string(str(file)) as saver:
            graph = make_graphs(grades=True, checkpointer=saver)[which]
            for turn in count(1):
                graph.invoke(*asked("one"))
                if turn in (turns // 2, turns):
                    saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    sizes.append(file.stat().st_size)
                if turn == turns:
                    return sizes
    return sizes


def main() -> None:
    arguments = parse_arguments()
    print("| preset | | obsirag ms | by hand ms | × |\n|---|---|--:|--:|--:|")
    for grades in (False, True):
        for is_async in (False, True):
            graphs = make_graphs(grades=grades)
            overhead(graphs, 5, is_async=is_async)
            own, other = overhead(graphs, arguments.questions, is_async=is_async)
            names = f"{'corrective' if grades else 'naive'} | {'async' if is_async else 'sync'}"
            print(f"| {names} | {own * 1e3:.2f} | {other * 1e3:.2f} | {own / other:.2f} |")

    print("\n| questions at a time | obsirag a second | by hand a second |\n|---|--:|--:|")
    graphs = make_graphs(grades=True)
    for workers in (1, 32):
        rates = [throughput(graph, 4 * arguments.questions, workers) for graph in graphs]
        print(f"| {workers} | {rates[0]:.0f} | {rates[1]:.0f} |")

    print(
        "\n| one thread, one checkpoint kept | turns | messages B | other state B | process B |\n|---|--:|--:|--:|--:|"
    )
    for which, name in enumerate(("obsirag", "by hand")):
        for row in long_thread(which, arguments.turns):
            print(f"| {name} | {' | '.join(f'{each:,}' for each in row)} |")

    print("\n| | threads | process B a thread |\n|---|--:|--:|")
    for which, name in enumerate(("obsirag", "by hand")):
        print(f"| {name} | {arguments.turns:,} | {many_threads(which, arguments.turns):,} |")

    half, turns = arguments.kept_turns // 2, arguments.kept_turns
    print(f"\n| one thread in SQLite, all kept | B after {half} turns | B after {turns} |\n|---|--:|--:|")
    for which, name in enumerate(("obsirag", "by hand")):
        print(f"| {name} | {' | '.join(f'{each:,}' for each in kept_file(which, turns))} |")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=200, metavar="N", help="for each figure (%(default)s)")
    parser.add_argument("--turns", type=int, default=1000, metavar="N", help="of a thread; and threads (%(default)s)")
    parser.add_argument("--kept-turns", type=int, default=60, metavar="N", help="with all checkpoints (%(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
