"""One search: asked with the caller's labels, and never trusted with them."""

from types import SimpleNamespace

import pytest

from obsirag.graphs.nodes.search import SearchNode
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.retrievers import SearchError


def test_asks_with_text_labels_and_limit(make_search, make_chunk):
    search = make_search([make_chunk("a"), make_chunk("b", line=2), make_chunk("c", line=3)])
    update = SearchNode("keyword_search", search, 2, 9.0)({"query": "q"}, ("x",))
    assert [hit.page_content for hit in update["rankings"]["keyword_search"]] == ["a", "b"]
    assert (search.asked, search.labels) == (["q"], [("x",)])


def test_what_a_store_should_have_kept_back_is_dropped(make_search, make_chunk):
    search = make_search([make_chunk("a", permissions=['["leads"]']), make_chunk("b")])
    update = SearchNode("s", search, 9, 9.0)({"query": "q"}, ())
    assert [hit.page_content for hit in update["rankings"]["s"]] == ["b"]


def test_a_failure_is_named_and_costs_the_hits(make_search):
    search = make_search(error=ValueError("x"))
    assert SearchNode("s", search, 9, 9.0)({"query": "q"}, ()) == {"degraded": ["s"]}
    search.error = SearchError("embeddings", ValueError("x"))
    assert SearchNode("s", search, 9, 9.0)({"query": "q"}, ()) == {"degraded": ["embeddings"]}


@pytest.mark.parametrize("given", [None, 7, "ab", ["a"], [("a", 1.0)]])
def test_what_is_no_documents_is_a_failure_of_the_search(make_search, make_chunk, given):
    odd = SimpleNamespace(search=lambda *_, **__: given)
    parts = RagParts(vector_search=odd, keyword_search=make_search([make_chunk("The timer is 8 seconds.")]))
    result = wire_rag_graph(parts).compile().invoke({"messages": [("user", "How long is the timer?")]})
    assert result["status"] == "answered"
    assert result["degraded"] == ["vector_search"]
