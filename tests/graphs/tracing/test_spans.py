"""Spans, with OpenTelemetry's own SDK."""

import sys

import pytest

from obsirag.config import RagConfig, TracingOptions
from obsirag.errors import MissingExtraError
from obsirag.graphs.parts import open_parts
from obsirag.graphs.tracing import open_tracing
from watched_graphs import NODES, QUESTION, ask, watched_graph


@pytest.fixture
def exporter():
    return pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()


@pytest.fixture
def provider(exporter):
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider


@pytest.fixture
def spans(provider):
    from obsirag.graphs.tracing.spans import Spans

    return Spans(provider)


def test_each_node_is_a_span_under_the_one_of_the_run(exporter, provider, spans):
    with provider.get_tracer("mine").start_as_current_span("question") as whole:
        ask(watched_graph(spans))
    nodes = [each for each in exporter.get_finished_spans() if each.name != "question"]
    assert sorted(each.name for each in nodes) == sorted(NODES)
    assert {each.parent.span_id for each in nodes} == {whole.get_span_context().span_id}
    grade = next(each for each in nodes if each.name == "grade")
    assert grade.attributes["obsirag.thread"] == "t-1"
    assert grade.attributes["obsirag.model_calls"] == 1
    assert grade.attributes["obsirag.state.evidence"] > 0
    assert QUESTION not in str([each.attributes for each in nodes])


@pytest.mark.parametrize("is_async", [False, True])
async def test_what_a_node_calls_is_its_child(exporter, provider, spans, is_async):
    def grade(state):
        with provider.get_tracer("mine").start_as_current_span("inner"):
            return {"following": "answer"}

    async def grade_async(state):
        return grade(state)

    graph = watched_graph(spans, nodes={"grade": grade_async if is_async else grade}).compile()
    question = {"messages": [("user", QUESTION)]}
    await graph.ainvoke(question) if is_async else graph.invoke(question)
    by_name = {each.name: each for each in exporter.get_finished_spans()}
    assert by_name["inner"].parent.span_id == by_name["grade"].context.span_id
    assert by_name["fuse"].parent is None  # nobody's: the one before it has ended


def test_a_failure_is_told_by_its_kind(exporter, spans):
    def fail(state):
        raise LookupError("Bluebird")

    with pytest.raises(LookupError):
        ask(watched_graph(spans, nodes={"fuse": fail}))
    [failed] = [each for each in exporter.get_finished_spans() if not each.status.is_ok and each.status.description]
    assert (failed.name, failed.status.description) == ("fuse", "LookupError")
    assert "Bluebird" not in failed.to_json()


def test_without_the_package_the_extra_is_told_as_the_graph_is_built(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    assert open_tracing(TracingOptions()) is not None
    config = RagConfig(vault=tmp_path, index=tmp_path / "i", tracing=TracingOptions(opentelemetry=True))
    with pytest.raises(MissingExtraError, match=r"pip install 'obsirag\[otel\]'"):
        open_parts(config)
