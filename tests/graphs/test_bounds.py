import pytest
from langgraph.errors import GraphRecursionError

from graph_fakes import FakeSearch
from obsirag.config import IntentOptions, RagConfig
from obsirag.graphs import graph_bounds
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph


def test_bounds_follow_the_configuration():
    quoted = graph_bounds(RagConfig(vault="v", index="i", preset="naive"))
    assert quoted == (7, 0, 2)
    config = RagConfig(
        vault="v", index="i", preset="naive", chat_model="openai", reranker="x", answers={"max_regenerations": 3}
    )
    assert graph_bounds(config) == (14, 4, 2)
    assert graph_bounds(config, chat_model=False, reranker=False) == quoted


def test_the_look_at_what_a_question_is_after_takes_a_step_and_calls_where_the_model_is_asked():
    plain = RagConfig(vault="v", index="i", preset="naive", chat_model="openai")
    steps, calls, searches = graph_bounds(plain)
    for ask_model, more in ((False, 0), (True, 3)):
        config = plain.model_copy(update={"intent": IntentOptions(enabled=True, ask_model=ask_model)})
        assert graph_bounds(config) == (steps + 1, calls + more, searches)
        assert graph_bounds(config, chat_model=False).chat_model_calls == 0
    assert graph_bounds(plain.model_copy(update={"intent": IntentOptions(ask_model=True)})) == graph_bounds(plain)


def test_terms_take_a_step_and_calls_and_a_filter_may_be_in_vain():
    plain = graph_bounds(RagConfig(vault="v", index="i", preset="naive", chat_model="openai"))
    terms = {"enabled": True, "ask_model": True, "areas": {"Art": {"tags": "art"}}}
    asked = graph_bounds(RagConfig(vault="v", index="i", preset="naive", chat_model="openai", terms=terms))
    assert asked == (plain.steps + 1, plain.chat_model_calls + 3, plain.searches * 2)
    off = {**terms, "enabled": False}
    assert graph_bounds(RagConfig(vault="v", index="i", preset="naive", chat_model="openai", terms=off)) == plain


def test_a_search_without_weight_is_not_asked():
    config = RagConfig(vault="v", index="i", retrieval={"weights": {"vector": 0.0}})
    assert graph_bounds(config).searches == 1


def test_a_question_takes_three_steps_of_langgraph_at_least():
    """To be taken, to be answered that nothing was looked for, and one that LangGraph wants to be left."""
    graph = wire_rag_graph(RagParts(vector_search=FakeSearch(), keyword_search=None)).compile()
    question = {"messages": [("user", "How long is the timer?")]}
    assert graph.invoke(question, {"recursion_limit": 3})["degraded"] == ["recursion_limit"]
    with pytest.raises(GraphRecursionError):
        graph.invoke(question, {"recursion_limit": 2})
