"""What differs between runs."""

import pytest

from graph_fakes import FakeSearch, chunk
from obsirag.config import TracingOptions
from obsirag.graphs import RunRecorder
from obsirag.graphs.tracing.comparison import compare_records
from obsirag.graphs.tracing.files import write_json
from obsirag.graphs.tracing.reading import read_comparable
from watched_graphs import LEADS, QUESTION, REWORDED, ask, watched_graph


def record(context=None, **changes):
    recorder = RunRecorder()
    ask(watched_graph(recorder, **changes), context)
    return recorder.record()


def test_two_runs_of_the_same_do_not_differ():
    assert compare_records(record(), record()) == {}


def test_other_hits_are_told_with_ranks_and_scores():
    hits = [
        chunk("Of other things.", source="noise.md", score=0.75),
        chunk("The respawn timer of health is 77 seconds.", source="health.md", line=3, score=0.9),
        chunk("New.", source="new.md", score=0.1),
    ]
    told = compare_records(record(), record(vector_search=FakeSearch(hits)))["rounds"][0]["searches"]["vector_search"]
    assert [each["source"] for each in told["only_second"]] == ["new.md"]
    assert {each["source"] for each in told["only_first"]} == {f"x{number}.md" for number in range(9)}
    moved = {each["source"]: each for each in told["moved"]}
    assert moved["noise.md"]["rank"] == [2, 1]
    assert moved["noise.md"]["scores"] == [{"score": 0.7}, {"score": 0.75}]
    assert moved["health.md"]["rank"] == [1, 2]


def test_other_steps_verdicts_and_answers_are_told():
    told = compare_records(record(), record(grades=False, chat_model=None))
    assert told["nodes"][0] != told["nodes"][1]
    assert told["answer"][0] != told["answer"][1]
    assert told["rounds"][1]["searches"]["vector_search"]["query"] == [REWORDED, None]
    assert told["rounds"][0]["verdict"]["diagnosis"] == ["not_covered", None]
    assert "draft" not in told


def test_other_callers_find_other_things():
    told = compare_records(record(), record(LEADS))
    assert [each["source"] for each in told["rounds"][0]["searches"]["vector_search"]["only_second"]] == ["secret.md"]


@pytest.mark.parametrize("context", [None, LEADS])
def test_what_nodes_got_can_be_compared(tmp_path, context):
    folders = tmp_path / "a", tmp_path / "b"
    for folder, each in zip(folders, (None, context), strict=True):
        ask(watched_graph(options=TracingOptions(dumps=folder)), each)
    first, second = (read_comparable(min(folder.glob("*-fuse.json"))) for folder in folders)
    assert first["question"] == QUESTION
    told = compare_records(first, second)
    found = [each["source"] for each in told["rounds"][0]["searches"]["vector_search"]["only_second"]] if told else []
    assert found == (["secret.md"] if context else [])
    # What is left after a node is there too.
    answer = read_comparable(next(folders[0].glob("*-answer.json")))
    assert answer["passages"][0]["source"] == "health.md"


def test_a_record_can_be_read_for_it(tmp_path):
    file = tmp_path / "run.json"
    write_json(file, record())
    assert compare_records(read_comparable(file), record()) == {}
