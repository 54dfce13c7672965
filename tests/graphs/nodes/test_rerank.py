"""A reranker puts the passages into its order; where it fails, the fused order stays."""

from typing import Any

import pytest
from langchain_core.documents import BaseDocumentCompressor, Document

from obsirag.graphs.nodes.rerank import RerankNode
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.retrievers import Reranking


class Backwards(BaseDocumentCompressor):
    fails: bool = False

    def compress_documents(self, documents, query, callbacks=None):
        if self.fails:
            raise ConnectionError
        return list(reversed(documents))


class Odd(BaseDocumentCompressor):
    given: Any

    def compress_documents(self, documents, query, callbacks=None):
        return self.given


@pytest.fixture
def chunks(make_chunk):
    return [make_chunk(f"The timer is {name}.", source=f"{name}.md") for name in "abc"]


async def test_reranks_sync_and_async(chunks):
    node = RerankNode(Reranking(reranker=Backwards()))
    state = {"evidence": chunks, "search_text": "q", "terms": []}
    assert node(state) == await node.call_async(state) == {"evidence": chunks[::-1], "degraded": []}
    assert node({"evidence": [], "search_text": "q", "terms": []}) == {"evidence": [], "degraded": []}


@pytest.mark.parametrize("fails", [False, True])
def test_in_the_graph(make_search, make_chat, chunks, fails):
    chat = make_chat("It is so [1].")
    parts = RagParts(
        vector_search=make_search(chunks), keyword_search=None, chat_model=chat, reranker=Backwards(fails=fails)
    )
    result = wire_rag_graph(parts).compile().invoke({"messages": [("user", "What is the timer?")]})
    assert result["citations"][0]["source"] == ("a.md" if fails else "c.md")
    assert result["degraded"] == (["reranker"] if fails else [])


@pytest.mark.parametrize("given", [None, 7, "ab", [("a", 1.0)], ["a"]])
async def test_what_is_no_documents_leaves_the_fused_order(make_search, chunks, given):
    parts = RagParts(vector_search=make_search(chunks), keyword_search=None, reranker=Odd(given=given))
    graph = wire_rag_graph(parts).compile()
    question = {"messages": [("user", "What is the timer?")]}
    for result in (graph.invoke(question), await graph.ainvoke(question)):
        assert result["status"] == "answered"
        assert result["citations"][0]["source"] == "a.md"
        assert result["degraded"] == ["reranker"]


async def test_nothing_of_what_a_reranker_makes_up_gets_in(make_chunk):
    evidence = [make_chunk(name, source=f"{name}.md", permissions=['["leads"]']) for name in "abc"]
    changed = [Document(id=each.id, page_content="a b c", metadata={"chunk_id": each.id}) for each in evidence[::-1]]
    node = RerankNode(Reranking(reranker=Odd(given=changed)))
    assert node({"evidence": evidence, "search_text": "q", "terms": []})["evidence"] == evidence[::-1]
