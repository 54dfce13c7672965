"""The graphs' schemas, as tools and servers ask for them."""

from typing import Any

import pytest

from graph_fakes import FakeSearch, chunk
from obsirag import RagConfig
from obsirag.graphs import build_index_graph
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph


@pytest.fixture
def graph() -> Any:
    return wire_rag_graph(RagParts(vector_search=FakeSearch([chunk("The timer is 8.")]), keyword_search=None)).compile()


def test_the_schemas_name_what_goes_in_and_comes_out(graph):
    output = {"messages", "answer", "citations", "status", "degraded"}
    assert graph.get_input_jsonschema()["properties"].keys() == {"messages"}
    assert graph.get_output_jsonschema()["properties"].keys() == output
    assert graph.get_context_jsonschema()["properties"].keys() == {"labels"}


def test_the_indexing_graph_has_schemas_too(tmp_path):
    indexing = build_index_graph(RagConfig(vault=tmp_path, index=tmp_path / "index", embeddings="hashing")).compile()
    assert indexing.get_input_jsonschema()["properties"]
    assert indexing.get_output_jsonschema()["properties"]


@pytest.mark.filterwarnings("ignore:This API is in beta")
def test_the_graph_can_be_a_tool(graph):
    assert graph.as_tool(name="notes", description="Answers from the notes.").args.keys() == {"messages"}
    # LangChain's tools cannot read a list of messages by a graph's own schema, of whatever graph.
    tool = graph.as_tool(name="notes", description="Answers from the notes.", arg_types={"messages": list[Any]})
    assert tool.invoke({"messages": [("user", "How long is the timer?")]})["status"] == "answered"
