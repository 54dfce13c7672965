import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import ConversationOptions
from obsirag.graphs.nodes.contextualise import LONGEST_SUMMARY
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

QUESTION = "How long is the respawn timer?"


@pytest.mark.parametrize("length", [LONGEST_SUMMARY - 1, LONGEST_SUMMARY, LONGEST_SUMMARY + 1, 50 * LONGEST_SUMMARY])
def test_of_a_summary_so_much_is_kept_and_no_more(length):
    summary = "".join(str(number % 10) for number in range(length))
    scripts = {"answer": ["It is 8 [1]."], "summarise": [summary], "contextualise": [""]}
    model = ManyTasksChat(answers=[], prompts=[], scripts=scripts)
    parts = RagParts(
        vector_search=FakeSearch([chunk("The respawn timer is 8 seconds.")]),
        keyword_search=None,
        chat_model=model,
        rewrites_follow_ups=True,
        conversation=ConversationOptions(max_turns=1),
    )
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "a"}}
    for question in (QUESTION, QUESTION, "And on hard?"):
        graph.invoke({"messages": [("user", question)]}, thread)
    kept = summary[:LONGEST_SUMMARY]
    assert graph.get_state(thread).values["summary"]["text"] == kept
    assert f"{kept}\n" in model.asked("contextualise")[0]
