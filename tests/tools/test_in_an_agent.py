"""The tools in the hands of an agent that calls them."""

import pytest
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from obsirag import note_tools
from obsirag.graphs import RagContext
from tool_worlds import ToolCallingChat, small_world

RISKY = "回滚 release 流需要谁书面同意？"
THREAD = {"configurable": {"thread_id": "1"}}


@pytest.fixture(scope="module")
def careful(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("careful"), preset="enterprise")


def agent_of(turns, tools, **more):
    return create_agent(ToolCallingChat(turns=turns), tools, **more)


def tool_messages(result):
    return [message for message in result["messages"] if message.type == "tool"]


@pytest.mark.parametrize("is_async", [False, True])
async def test_it_searches_reads_and_asks(world, is_async):
    turns = [
        [("search_notes", {"query": "plumbus"}), ("read_note", {"path": "nowhere"})],
        [("read_note", {"path": "Host.md"}), ("ask_notes", {"question": "What is public?"})],
        [("read_note", {"nonsense": 1})],
    ]
    agent = agent_of(turns, note_tools(world))
    given = {"messages": [("user", "What is public?")]}
    result = await agent.ainvoke(given) if is_async else agent.invoke(given)
    messages = tool_messages(result)
    assert [message.status for message in messages] == ["success", "error", "success", "success", "error"]
    assert messages[0].artifact["passages"][0]["source"] == "Host.md"
    assert messages[3].artifact["citations"]
    assert "The plumbus is public." in result["messages"][-1].content


@pytest.mark.parametrize("is_async", [False, True])
async def test_the_agents_own_context_gives_its_tools_no_labels(world, is_async):
    turns = [[("ask_notes", {"question": "What is the password of the vault?"}), ("search_notes", {"query": "xyzzy"})]]
    agent = agent_of(turns, note_tools(world), context_schema=RagContext)
    given, context = {"messages": [("user", "?")]}, {"labels": ["leads", "hr"]}
    result = await agent.ainvoke(given, context=context) if is_async else agent.invoke(given, context=context)
    assert not any("password of the vault is" in str(message) for message in tool_messages(result))


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_question_for_a_person_is_not_answered_where_nobody_can_be_asked(careful, is_async):
    agent = agent_of([[("ask_notes", {"question": RISKY})]], note_tools(careful), checkpointer=InMemorySaver())
    given = {"messages": [("user", "?")]}
    result = await agent.ainvoke(given, THREAD) if is_async else agent.invoke(given, THREAD)
    assert "__interrupt__" not in result
    (message,) = tool_messages(result)
    assert (message.artifact["status"], message.artifact["citations"]) == ("refused", [])
    assert "审阅" in message.content
    assert "两位主管" not in message.content


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("decision", ["approve", "reject"])
async def test_it_waits_in_the_agents_thread_where_it_may(careful, is_async, decision):
    agent = agent_of(
        [[("ask_notes", {"question": RISKY})]],
        note_tools(careful, waits_for_review=True),
        checkpointer=InMemorySaver(),
    )

    async def run(given):
        return await agent.ainvoke(given, THREAD) if is_async else agent.invoke(given, THREAD)

    waiting = (await run({"messages": [("user", "?")]}))["__interrupt__"][0]
    assert waiting.value["action_requests"][0]["args"]["question"] == RISKY
    result = await run(Command(resume={waiting.id: {"decisions": [{"type": decision}]}}))
    (message,) = tool_messages(result)
    assert message.artifact["status"] == ("answered" if decision == "approve" else "refused")
    assert ("两位主管" in message.content) == (decision == "approve")


def test_two_questions_at_once_that_wait_are_told_apart(careful):
    questions = [RISKY, "谁可以删除 release 流？"]
    agent = agent_of(
        [[("ask_notes", {"question": each}) for each in questions]],
        note_tools(careful, waits_for_review=True),
        checkpointer=InMemorySaver(),
    )
    waiting = agent.invoke({"messages": [("user", "?")]}, THREAD)["__interrupt__"]
    asked = {each.value["action_requests"][0]["args"]["question"]: each.id for each in waiting}
    assert set(asked) == set(questions)  # which comes to wait first is left to the threads
    decisions = {asked[questions[0]]: "approve", asked[questions[1]]: "reject"}
    first, second = tool_messages(agent.invoke(Command(resume=decisions), THREAD))
    assert (first.artifact["status"], second.artifact["status"]) == ("answered", "refused")


def test_without_a_checkpointer_waiting_is_an_error_in_words(careful):
    agent = agent_of([[("ask_notes", {"question": RISKY})]], note_tools(careful, waits_for_review=True))
    (message,) = tool_messages(agent.invoke({"messages": [("user", "?")]}))
    assert message.status == "error"
    assert "not set up" in message.content
