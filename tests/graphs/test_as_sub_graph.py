"""The question graph as a part of a larger one: reviews, streams, and several of them side by side."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

from obsirag import RagConfig, build_rag_graph, index_vault
from obsirag.graphs import RagContext
from tool_worlds import small_world

RISKY = "回滚 release 流需要谁书面同意？"
THREAD = {"configurable": {"thread_id": "1"}}


@pytest.fixture(scope="module")
def careful(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("careful"), preset="enterprise")


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    (folder / "vault").mkdir()
    (folder / "vault" / "Ship.md").write_text("# Ship\nThe anchor weighs nine tons.\n", encoding="utf-8")
    (folder / "vault" / "Log.md").write_text("---\npermission: leads\n---\n# Log\nThe anchor is lost.\n", "utf-8")
    config = RagConfig(vault=folder / "vault", index=folder / "index", embeddings="hashing", vector_store="memory")
    index_vault(config)
    return config


def in_parent(*graphs, route=None):
    parent = StateGraph(MessagesState, context_schema=RagContext)
    names = [f"notes_{number}" for number in range(len(graphs))]
    for name, graph in zip(names, graphs, strict=True):
        parent.add_node(name, graph.compile())
        parent.add_edge(name, END)
    parent.add_conditional_edges(START, route or (lambda state: names[0]), names)
    return parent


async def stream(graph, given, run, *, is_async, **more):
    if is_async:
        return [each async for each in graph.astream(given, run, subgraphs=True, **more)]
    return list(graph.stream(given, run, subgraphs=True, **more))


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("decision", "status"), [("approve", "answered"), ("reject", "refused")])
async def test_a_review_waits_in_the_parents_thread(careful, is_async, decision, status):
    graph = in_parent(build_rag_graph(careful)).compile(checkpointer=InMemorySaver())
    asked = {"messages": [("user", RISKY)]}
    events = await stream(graph, asked, THREAD, is_async=is_async, stream_mode="updates")
    interrupts = {each.id: each for _, event in events for each in event.get("__interrupt__", ())}
    ((identity, waiting),) = interrupts.items()
    assert waiting.value["action_requests"][0]["args"]["question"] == RISKY
    assert graph.get_state(THREAD).next == ("notes_0",)
    resume = Command(resume={identity: {"decisions": [{"type": decision}]}})
    events = await stream(graph, resume, THREAD, is_async=is_async, stream_mode="updates")
    assert not [event for _, event in events if "__interrupt__" in event]
    nodes = [name for _, event in events for name in event]
    assert "vector_search" not in nodes  # nothing is done twice
    last = graph.get_state(THREAD).values["messages"][-1]
    assert last.additional_kwargs["obsirag"]["status"] == status
    assert ("两位主管" in last.text) == (decision == "approve")


@pytest.mark.parametrize("is_async", [False, True])
async def test_the_answer_streams_with_the_node_that_it_is_from(careful, is_async):
    graph = in_parent(build_rag_graph(careful)).compile(checkpointer=InMemorySaver())
    asked = {"messages": [("user", "What is public?")]}
    events = await stream(graph, asked, THREAD, is_async=is_async, stream_mode=["messages", "custom"])
    said = [event[0].text for where, mode, event in events if mode == "messages" and where]
    assert "plumbus" in "".join(said)
    started = [event["node"] for where, mode, event in events if mode == "custom" and event.get("event") == "started"]
    assert started[0] == "take_question"
    assert started[-1] == "publish"
    assert all(where[0].startswith("notes_0:") for where, _, _ in events if where)


def by_word(state):
    return "notes_1" if "anchor" in state["messages"][-1].text else "notes_0"


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("labels", [[], ["leads"]])
async def test_two_vaults_in_one_graph_share_nothing_but_the_messages(careful, other, labels, is_async):
    graphs = build_rag_graph(careful), build_rag_graph(other)
    graph = in_parent(*graphs, route=by_word).compile(checkpointer=InMemorySaver())
    sources = []
    for question in ("What is public?", "What does the anchor weigh?", "What is the plumbus?"):
        given, context = {"messages": [("user", question)]}, {"labels": labels}
        result = (
            await graph.ainvoke(given, THREAD, context=context)
            if is_async
            else graph.invoke(given, THREAD, context=context)
        )
        answer = result["messages"][-1]
        assert answer.additional_kwargs["obsirag"]["status"] == "answered"
        sources.append("nine tons" in answer.text)
        assert ("anchor is lost" in answer.text) is False or labels
    assert sources == [False, True, False]


async def test_a_review_in_one_of_two_leaves_the_other_alone(careful, other):
    graph = in_parent(build_rag_graph(careful), build_rag_graph(other), route=by_word)
    compiled = graph.compile(checkpointer=InMemorySaver())
    first, second = ({"configurable": {"thread_id": each}} for each in "ab")
    waiting = compiled.invoke({"messages": [("user", RISKY)]}, first)["__interrupt__"][0]
    result = compiled.invoke({"messages": [("user", "What does the anchor weigh?")]}, second)
    assert "nine tons" in result["messages"][-1].text
    result = compiled.invoke(Command(resume={waiting.id: "approve"}), first)
    assert "两位主管" in result["messages"][-1].text


def test_each_can_have_labels_of_its_own(careful, other):
    graphs = build_rag_graph(careful, labels=[]), build_rag_graph(other, labels=["leads"])
    graph = in_parent(*graphs, route=by_word).compile(checkpointer=InMemorySaver())
    question = "What became of the anchor, lost or not?"
    assert "anchor is lost" in graph.invoke({"messages": [("user", question)]}, THREAD)["messages"][-1].text
    fresh = {"configurable": {"thread_id": "2"}}
    secret = graph.invoke({"messages": [("user", "What is the password of the vault?")]}, fresh)
    assert "xyzzy" not in str(secret)
