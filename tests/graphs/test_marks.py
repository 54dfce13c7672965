"""What marks do in the question graph, and what a thread gives to those who mark."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from obsirag.components import index_vault, open_feedback
from obsirag.config import RagConfig
from obsirag.graphs import RagContext, RunRecorder, build_rag_graph, last_answer
from obsirag.retrievers.grouping import sources_of

QUESTION = "How does the lantern burn?"


@pytest.fixture
def config(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    for number, extra in enumerate(["burn burn", "burn", "lantern", "oil", "light", "wick"]):
        (vault / f"{number}.md").write_text(f"# Note {number}\n\nThe lantern burns with {extra}.\n", encoding="utf-8")
    (vault / "secret.md").write_text("---\npermission: leads\n---\n\nThe lantern burns secretly.\n", encoding="utf-8")
    made = RagConfig(vault=vault, index=tmp_path / "index", embeddings="hashing", vector_store="memory")
    index_vault(made)
    return made


def evidence(config, labels=(), question=QUESTION):
    found = []
    graph = build_rag_graph(config).compile()
    given = {"messages": [HumanMessage(question)]}
    for update in graph.stream(given, context=RagContext(labels=labels), stream_mode="updates"):
        if "fuse" in update:
            found = update["fuse"]["evidence"]
    return found


def test_a_mark_moves_the_passages_of_a_question_and_its_revocation_moves_them_back(config):
    before = evidence(config)
    last = sources_of(before)[-1]
    feedback = open_feedback(config)
    mark = feedback.add("good", "how does a lantern burn", sources=[last])
    after = evidence(config)
    assert sources_of(after)[-2] == last
    assert evidence(config, question="Who pays for the oil?") != []
    feedback.revoke(mark.id)
    assert evidence(config) == before


def test_a_mark_of_somebody_with_other_labels_moves_nothing(config):
    before = evidence(config)
    feedback = open_feedback(config)
    feedback.add("good", QUESTION, sources=["secret.md"], labels=["leads"])
    feedback.add("good", QUESTION, sources=[sources_of(before)[-1]], labels=["leads"])
    assert evidence(config) == before
    marked = [each for each in evidence(config, ["leads"]) if "preference" in each.metadata]
    assert "secret.md" in sources_of(marked)


def test_each_aspect_is_moved_by_the_marks_on_questions_like_it(config):
    config = RagConfig(**{**config.model_dump(), "preset": "aspects"})
    asked = "How does the lantern burn with wick? Which light does the oil lantern give?"
    open_feedback(config).add("good", "How does the lantern burn with wick?", sources=["3.md"])
    moved = [each for each in evidence(config, question=asked) if "preference" in each.metadata]
    assert sources_of(moved) == ["3.md"]


def test_marks_that_cannot_be_read_are_told_and_the_question_is_answered(config):
    before = evidence(config)
    (config.index / "feedback.sqlite").write_bytes(b"no database" * 1000)
    result = build_rag_graph(config).compile().invoke({"messages": [HumanMessage(QUESTION)]})
    assert (result["status"], result["degraded"]) == ("answered", ["preferences"])
    assert evidence(config) == before


async def test_asynchronously_it_is_the_same(config):
    open_feedback(config).add("good", QUESTION, sources=[sources_of(evidence(config))[-1]])
    graph = build_rag_graph(config).compile()
    found = [each async for each in graph.astream({"messages": [HumanMessage(QUESTION)]}, stream_mode="updates")]
    assert next(each["fuse"]["evidence"] for each in found if "fuse" in each) == evidence(config)


def test_the_record_of_a_run_tells_what_marks_moved(config):
    open_feedback(config).add("good", QUESTION, sources=["1.md"])
    recorder = RunRecorder()
    build_rag_graph(config, observers=[recorder]).compile().invoke({"messages": [HumanMessage(QUESTION)]})
    stage = recorder.record()["rounds"][0]["stages"][0]
    scores = {each["source"]: each["scores"].get("preference") for each in stage["passages"]}
    assert scores.pop("1.md") == 1.25
    assert set(scores.values()) == {None}


def thread(config, *questions, labels=()):
    graph = build_rag_graph(config).compile(checkpointer=InMemorySaver())
    place = {"configurable": {"thread_id": "t"}}
    for question in questions:
        graph.invoke({"messages": [HumanMessage(question)]}, place, context=RagContext(labels=labels))
    return graph.get_state(place).values["messages"]


def test_the_last_answer_comes_with_its_question_and_its_sources(config):
    turn = last_answer(thread(config, QUESTION), None)
    assert turn.question == QUESTION
    assert {each["source"] for each in turn.citations} <= {f"{number}.md" for number in range(6)}
    assert turn.answer


def test_of_a_follow_up_it_is_what_can_be_understood_alone(config):
    turn = last_answer(thread(config, QUESTION, "And with oil?"), None)
    assert "lantern" in turn.question
    assert "oil" in turn.question


def test_a_question_without_an_answer_from_the_notes_has_none(config):
    assert last_answer(thread(config, QUESTION, "zyxwv qqq?"), None) is None
    assert last_answer([], None) is None
    assert last_answer([HumanMessage("x"), AIMessage("y")], None) is None


def test_who_may_not_read_an_answer_gets_nothing_of_it(config):
    messages = thread(config, "Does it burn secretly?", labels=["leads"])
    assert "secret.md" in {each["source"] for each in last_answer(messages, RagContext(labels=["leads"])).citations}
    assert last_answer(messages, None) is None
