"""Records of runs: what was found, what fell out and where, and what was answered."""

import json

import pytest
from langchain_core.documents import Document

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.errors import TraceError
from obsirag.graphs import RunRecorder
from obsirag.graphs.tracing import read_record
from obsirag.graphs.tracing.files import write_json
from watched_graphs import ANSWER, LEADS, NODES, QUESTION, REWORDED, ask, watched_graph


@pytest.fixture
def recorder():
    return RunRecorder()


def record_after(recorder, context=None, **changes):
    ask(watched_graph(recorder, **changes), context)
    return recorder.record()


def test_a_record_tells_the_run(recorder):
    record = record_after(recorder)
    assert (record["question"], record["answer"], record["status"]) == (QUESTION, ANSWER, "answered")
    assert sorted(step["node"] for step in record["steps"]) == sorted(NODES)
    assert [step["step"] for step in record["steps"]] == sorted(step["step"] for step in record["steps"])
    assert record["usage"]["calls"] == sum(step["model_calls"] for step in record["steps"]) == 4
    assert record["seconds"] >= max(step["seconds"] for step in record["steps"])
    assert record["citations"][0]["source"] == "health.md"
    assert record["error"] is None


def test_each_round_has_its_queries_and_its_verdict(recorder):
    first, second = record_after(recorder)["rounds"]
    assert {each["query"] for each in first["searches"]} == {QUESTION}
    assert {each["query"] for each in second["searches"]} == {REWORDED}
    assert (first["verdict"]["diagnosis"], second["verdict"]["diagnosis"]) == ("not_covered", "enough")
    assert [each["node"] for each in first["stages"]] == ["fuse", "grade", "rewrite"]
    assert [each["node"] for each in second["stages"]] == ["fuse", "grade"]


def test_it_is_told_where_each_hit_fell_out(recorder):
    _, last = record_after(recorder)["rounds"]
    [found] = [each["hits"] for each in last["searches"] if each["name"] == "vector_search"]
    fates = {hit["source"]: hit["dropped_by"] for hit in found}
    assert [hit["rank"] for hit in found] == [*range(1, len(found) + 1)]
    assert found[0]["scores"] == {"score": 0.9}
    assert fates["health.md"] is None
    assert fates["noise.md"] == "grade"
    kept = [each["source"] for each in last["stages"][0]["passages"]]
    assert {source for source, node in fates.items() if node == "fuse"} == fates.keys() - set(kept)
    assert fates.keys() - set(kept)


def test_a_near_duplicate_names_the_one_that_stands_for_it(recorder):
    def select(chunks, labels):
        [first, *rest] = chunks
        fields = {**first.metadata, "merged_sources": ["noise.md"]}
        return [
            Document(id=first.id, page_content=first.page_content, metadata=fields),
            *(each for each in rest if each.metadata["source"] != "noise.md"),
        ]

    record = record_after(recorder, select=select, grades=False)
    hits = [hit for each in record["rounds"][0]["searches"] for hit in each["hits"]]
    assert {hit["duplicate_of"] for hit in hits if hit["source"] == "noise.md"} == {"health.md"}
    assert {hit["dropped_by"] for hit in hits if hit["source"] == "noise.md"} == {"select"}


def test_passages_have_the_numbers_of_the_answer(recorder):
    passages = record_after(recorder)["passages"]
    assert [each["number"] for each in passages] == [*range(1, len(passages) + 1)]
    assert [each["source"] for each in passages if each["cited_as"]] == ["health.md"]
    assert passages[0]["text"].endswith("77 seconds.")


@pytest.mark.parametrize(("context", "is_told"), [(None, False), (LEADS, True)])
def test_it_holds_what_the_caller_may_read(recorder, context, is_told):
    assert ("Bluebird" in json.dumps(record_after(recorder, context))) == is_told


def test_searches_of_any_name_are_told(recorder):
    hits = {"vector_search": [chunk("a", source="a.md")], "vector_search/2": [chunk("b", source="b.md")]}
    record = record_after(recorder, nodes={"vector_search": lambda task: {"rankings": hits}}, grades=False)
    names = {each["name"]: [hit["source"] for hit in each["hits"]] for each in record["rounds"][0]["searches"]}
    assert names == {"keyword_search": ["health.md"], "vector_search": ["a.md"], "vector_search/2": ["b.md"]}


def test_a_question_in_parts_has_the_queries_and_the_passages_of_each(recorder):
    asked = ["How long is the respawn timer of the arena?", "What is the texture budget of the arena?"]
    plan = json.dumps({"parts": [{"question": each, "keywords": "arena"} for each in asked]})
    chat = ManyTasksChat(answers=[], prompts=[], scripts={"plan": [plan], "answer": ["It is that [1]."]})
    hits = [
        chunk("The respawn timer of the arena is 8 seconds.", source="timer.md"),
        chunk("The texture budget of the arena is 600 MB.", source="budget.md"),
    ]
    parts = {"vector_search": FakeSearch(hits), "keyword_search": FakeSearch(hits[::-1])}
    graph = watched_graph(recorder, **parts, chat_model=chat, plans=True, grades=False)
    question = "How long is the respawn timer of the arena, and what is the texture budget of the arena?"
    graph.compile().invoke({"messages": [("user", question)]})
    record = recorder.record()
    assert [each["text"] for each in record["plan"]["aspects"]] == asked
    queries = {each["query"] for each in record["rounds"][0]["searches"]}
    assert len(queries) > 1
    assert len({each["name"] for each in record["rounds"][0]["searches"]}) == 4
    for citation in record["citations"]:
        [passage] = [each for each in record["passages"] if citation["number"] in each["cited_as"]]
        assert citation["quote"] in passage["text"]
    assert record["citations"]


def test_a_search_that_failed_is_told(recorder):
    record = record_after(recorder, keyword_search=FakeSearch(error=ValueError("Bluebird")))
    failed = [each for each in record["rounds"][0]["searches"] if each["name"] == "keyword_search"]
    assert [(each["hits"], each["degraded"]) for each in failed] == [([], ["keyword_search"])]
    assert record["degraded"] == ["keyword_search"]


def test_a_run_that_failed_is_told_as_far_as_it_came(recorder):
    def fail(state):
        raise LookupError

    with pytest.raises(LookupError):
        record_after(recorder, nodes={"answer": fail})
    record = recorder.record()
    assert (record["error"], record["answer"], record["status"]) == ("LookupError", "", None)
    assert len(record["rounds"]) == 2
    assert record["steps"][-1]["error"] == "LookupError"


def test_a_question_that_is_none_has_a_record(recorder):
    watched_graph(recorder).compile().invoke({"messages": [("user", "")]})
    record = recorder.record()
    assert (record["rounds"], record["passages"], record["status"]) == ([], [], "not_found")


def test_without_a_run_there_is_an_empty_record(recorder):
    assert recorder.record()["steps"] == []


def test_a_record_is_read_as_it_was_written(recorder, tmp_path):
    record = record_after(recorder)
    file = tmp_path / "run.json"
    write_json(file, record)
    assert read_record(file) == json.loads(json.dumps(record))
    assert [each.name for each in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize("broken", ["rounds", "steps", "citations", "plan"])
def test_a_broken_record_is_told(recorder, tmp_path, broken):
    record = record_after(recorder)
    file = tmp_path / "run.json"
    for value in (7, None, [7]):
        write_json(file, {**record, broken: value})
        with pytest.raises(TraceError, match=rf"run\.json is no record of a run: `{broken}"):
            read_record(file)
    write_json(file, {**record, "obsirag_run": 2})
    with pytest.raises(TraceError, match="of version 2"):
        read_record(file)


def test_of_a_run_that_died_all_that_failed_before_is_told(recorder):
    def fail(state):
        raise RuntimeError("gone")

    def half(state):
        return {"degraded": ["keyword_search"], "rankings": {"keyword_search": []}}

    with pytest.raises(RuntimeError):
        ask(watched_graph(recorder, nodes={"keyword_search": half, "answer": fail}))
    record = recorder.record()
    assert (record["degraded"], record["error"], record["status"]) == (["keyword_search"], "RuntimeError", None)
