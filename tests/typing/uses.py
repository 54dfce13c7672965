"""How programs use the public names; never run, only read by a type checker."""

from pathlib import Path
from typing import assert_type

import numpy as np
import numpy.typing as npt
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

from obsirag import (
    Citation,
    Components,
    IndexReport,
    Note,
    ObsidianSplitter,
    RagConfig,
    RenderedNote,
    SourceLocation,
    Vault,
    aindex_vault,
    build_index_graph,
    build_rag_graph,
    fuse_by_document,
    hookimpl,
    index_vault,
    load_config,
    merge_near_duplicates,
    near_duplicate_pairs,
    open_retriever,
)
from obsirag.graphs import RagContext, RagInput, RagOutput, RagState


def vault(root: Path) -> None:
    opened = Vault(root, ignore=["Templates/"], embed_heading="drop")
    assert_type(opened.paths(), list[str])
    assert_type(opened.note("a.md"), Note)
    rendered = opened.render("a.md")
    assert_type(rendered, RenderedNote)
    assert_type(rendered.locate(0), SourceLocation)
    assert_type(opened.resolve("a", source="b.md"), str | None)
    splitter = ObsidianSplitter(chunk_size=500, length_function=len)
    assert_type(splitter.split_note(rendered), list[Document])
    assert_type(splitter.split_text("text"), list[str])


def index(path: str) -> None:
    config = load_config(path)
    assert_type(config, RagConfig)
    assert_type(index_vault(config, components=Components(), full=True), IndexReport)
    found = open_retriever(config).invoke("what?", labels=["leads"], filter={"year": {"$gte": 2024}})
    assert_type(found, list[Document])
    build_index_graph(config).compile()


async def ask(config: RagConfig) -> None:
    assert_type(await aindex_vault(config), IndexReport)
    graph = build_rag_graph(config, nodes={"fuse": lambda state: {"evidence": []}})
    assert_type(graph, StateGraph[RagState, RagContext, RagInput, RagOutput])
    compiled = graph.compile()
    assert_type(compiled, CompiledStateGraph[RagState, RagContext, RagInput, RagOutput])
    result = await compiled.ainvoke({"messages": [HumanMessage("what?")]}, context={"labels": ["leads"]})
    citation: Citation = result["citations"][0]
    assert_type(citation["start_line"], int)


def hits(rankings: list[list[Document]], vectors: npt.NDArray[np.float32]) -> None:
    fused = fuse_by_document(rankings, weights=[1.0, 2.0], limit=5)
    assert_type(fused, list[Document])
    assert_type(merge_near_duplicates(fused, vectors), list[Document])
    assert near_duplicate_pairs(vectors, threshold=0.9).shape[1] == 2


@hookimpl
def embeddings(options: dict[str, str]) -> None:
    """A hook keeps its own type."""


assert_type(embeddings({}), None)
