"""A reranker puts the passages into its order; where it fails, the fused order stays."""

import pytest
from langchain_core.documents import BaseDocumentCompressor

from obsirag.graphs.nodes.rerank import RerankNode
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph


class Backwards(BaseDocumentCompressor):
    fails: bool = False

    def compress_documents(self, documents, query, callbacks=None):
        if self.fails:
            raise ConnectionError
        return list(reversed(documents))


@pytest.fixture
def chunks(make_chunk):
    return [make_chunk(f"The timer is {name}.", source=f"{name}.md") for name in "abc"]


async def test_reranks_sync_and_async(chunks):
    state = {"evidence": chunks, "search_text": "q"}
    assert RerankNode(Backwards())(state) == {"evidence": chunks[::-1]}
    assert await RerankNode(Backwards()).call_async(state) == {"evidence": chunks[::-1]}
    assert RerankNode(Backwards())({"evidence": [], "search_text": "q"}) == {}


@pytest.mark.parametrize("fails", [False, True])
def test_in_the_graph(make_search, make_chat, chunks, fails):
    chat = make_chat("It is so [1].")
    parts = RagParts(
        vector_search=make_search(chunks), keyword_search=None, chat_model=chat, reranker=Backwards(fails=fails)
    )
    result = wire_rag_graph(parts).compile().invoke({"messages": [("user", "What is the timer?")]})
    assert result["citations"][0]["source"] == ("a.md" if fails else "c.md")
    assert result["degraded"] == (["reranker"] if fails else [])
