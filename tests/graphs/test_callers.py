"""What one caller's run brought into a thread is not handed to the next caller."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import ScriptedChat
from obsirag.errors import ConfigError
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

LEADS = {"labels": ["leads"]}
THREAD: Any = {"configurable": {"thread_id": "a"}}
QUESTION = "How long is the respawn timer?"
FOLLOW_UP = "And is it really Bluebird?"


class Dying(ScriptedChat):
    """A chat model that ends the run, as a user or the system would, where its script says so."""

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        result = super()._generate(*args, **kwargs)
        if result.generations[0].message.text == "die":
            raise KeyboardInterrupt
        return result


@pytest.fixture
def make_graph(make_search, make_chunk):
    def make(*answers: str) -> Any:
        secret = make_chunk("The respawn timer Bluebird is 77.", source="s.md", permissions=['["leads"]'])
        public = make_chunk("The respawn timer of health is 8.", source="p.md")
        chat = Dying(answers=list(answers), prompts=[])
        parts = RagParts(vector_search=make_search([secret, public]), keyword_search=None, chat_model=chat)
        return wire_rag_graph(parts).compile(checkpointer=InMemorySaver()), chat

    return make


def ask(graph: Any, question: str | None, context: Any = None, **options: Any) -> Any:
    given = None if question is None else {"messages": [("user", question)] if question else []}
    return graph.invoke(given, THREAD, context=context, **options)


def die(graph: Any, question: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        ask(graph, question, LEADS)


def test_a_follow_up_without_an_answer_is_not_shown(make_graph):
    graph, _ = make_graph("Bluebird is 77 [2].", "NOT_FOUND", "It is 8 [1].")
    ask(graph, QUESTION, LEADS)
    assert ask(graph, FOLLOW_UP, LEADS)["status"] == "not_found"
    assert len(ask(graph, "How is health?", LEADS)["messages"]) == 6
    result = ask(graph, "How long is the timer of health?")
    assert "Bluebird" not in str(result)
    assert "Bluebird" not in str(graph.get_state(THREAD).values)


@pytest.mark.parametrize("next_question", ["How long is the timer of health?", "", None])
def test_a_follow_up_whose_run_died_is_not_shown(make_graph, next_question):
    graph, chat = make_graph("Bluebird is 77 [2].", "die", "It is 8 [1].")
    ask(graph, QUESTION, LEADS)
    die(graph, FOLLOW_UP)
    result = ask(graph, next_question)
    assert "Bluebird" not in str(result)
    assert "Bluebird" not in str(graph.get_state(THREAD).values)
    assert "Bluebird" not in str(chat.prompts[2:])
    assert (result["status"] == "answered") == bool(next_question)


def test_a_follow_up_that_was_not_even_taken_is_not_shown(make_graph):
    graph, _ = make_graph("Bluebird is 77 [2].", "It is 8 [1].")
    ask(graph, QUESTION, LEADS)
    with pytest.raises(ConfigError):
        ask(graph, FOLLOW_UP, "leads")
    assert "Bluebird" not in str(ask(graph, "How long is the timer of health?"))


async def test_a_run_that_another_takes_up_is_answered_from_what_they_may_read(make_graph):
    graph, chat = make_graph("die", "It is so [1].")
    die(graph, QUESTION)
    result = await graph.ainvoke(None, THREAD)
    assert result["status"] == "answered"
    assert [each["source"] for each in result["citations"]] == ["p.md"]
    assert "Bluebird" not in str(result) + str(chat.prompts[1:])


@pytest.mark.parametrize("node", ["fuse", "answer", "verify_citations", "publish"])
def test_it_does_not_matter_where_the_run_stopped(make_graph, node):
    is_written = node in ("verify_citations", "publish")
    graph, _ = make_graph("Bluebird is 77 [2]." if is_written else "It is 8 [1].")
    ask(graph, QUESTION, LEADS, interrupt_before=[node])
    updates = list(graph.stream(None, THREAD, stream_mode=["updates", "messages"]))
    assert updates
    assert "Bluebird" not in str(updates)
    left = graph.get_state(THREAD).values
    assert "Bluebird" not in str(left)
    assert left["answer"]
    # The first caller loses nothing.
    graph, _ = make_graph("Bluebird is 77 [2].")
    ask(graph, QUESTION, LEADS, interrupt_before=[node])
    assert ask(graph, None, LEADS)["answer"] == "Bluebird is 77 [2]."


def test_a_follow_up_that_is_marked_is_not_streamed_back(make_graph):
    graph, _ = make_graph("Bluebird is 77 [2].")
    ask(graph, QUESTION, LEADS)
    question = {"messages": [("user", FOLLOW_UP)]}
    streamed = list(graph.stream(question, THREAD, context=LEADS, stream_mode="messages"))
    assert {message.type for message, _ in streamed} == {"AIMessageChunk"}
    assert "".join(message.text for message, _ in streamed) == "Bluebird is 77 [2]."


@pytest.mark.parametrize("context", ["leads", ["leads"], {"labels": 7}, {"labels": [7]}, {"labels": {"leads": 1}}])
def test_a_context_of_another_kind_is_told_without_its_values(make_graph, context):
    graph, _ = make_graph("It is 8 [1].")
    with pytest.raises(ConfigError) as error:
        ask(graph, QUESTION, context)
    assert "leads" not in str(error.value)
    assert "7" not in str(error.value)


def test_a_lone_label_may_be_written_as_a_string(make_graph):
    graph, _ = make_graph("Bluebird is 77 [2].")
    assert "Bluebird" in ask(graph, QUESTION, {"labels": "leads"})["answer"]


@pytest.mark.parametrize("key", ["label", "Labels", "lables"])
def test_a_context_with_a_key_like_labels_is_told(make_graph, key):
    graph, _ = make_graph("It is 8 [1].")
    with pytest.raises(ConfigError, match=f"`{key}`; did you mean `labels`"):
        ask(graph, QUESTION, {key: ["leads"]})
    assert ask(graph, QUESTION, {"user": "u"})["status"] == "answered"  # a parent graph's


def test_a_conversation_that_is_sent_back_without_marks_stays_whose_it_was(make_graph):
    graph, _ = make_graph("Bluebird is 77 [2].", "It is 8 [1].")
    sent_back = [
        {"role": each.type, "content": each.text, "id": each.id} for each in ask(graph, QUESTION, LEADS)["messages"]
    ]
    graph.invoke({"messages": [*sent_back, ("user", "How is health?")]}, THREAD, context=LEADS)
    result = ask(graph, "How long is the timer of health?")
    assert "Bluebird" not in str(result) + str(graph.get_state(THREAD).values)
