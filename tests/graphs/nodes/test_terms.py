"""From the words of a question to the vault's terms, in the graph."""

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import TermOptions, WebSearchOptions
from obsirag.glossary import Term
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.vocabulary import Vocabulary
from obsirag.records import may_read
from obsirag.retrievers import WebSearch, WebSearchProvider

TERMS = [
    Term("Hitch", ("stutter", "卡"), area="Performance", broader=("Frame time",), narrower=("GC spike",)),
    Term("Overdraw", ("painting twice",), area="Performance"),
    Term("Montage", ("combo",), area="Animation"),
    Term("Bluebird", ("the new console", "console"), area="Hardware", permissions=(("leads",),)),
]


def vocabulary_of(labels):
    return Vocabulary([term for term in TERMS if may_read(term.permissions, labels)])


class Web(WebSearchProvider):
    def __init__(self):
        self.asked = []

    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        self.asked.append(query)
        return []

    def extract(self, urls):
        return []


def run(question, *, labels=(), hits=(), chat=None, grades=False, web=None, parts=(), **options):
    """Return the searches of a question, and the last state of its terms."""
    search = FakeSearch(hits)
    graph = wire_rag_graph(
        RagParts(
            vector_search=search,
            keyword_search=None,
            vocabulary=vocabulary_of,
            terms=TermOptions(**options),
            chat_model=chat,
            grades=grades,
            web=web,
            **dict(parts),
        )
    ).compile()
    terms = []
    for update in graph.stream({"messages": [("user", question)]}, context={"labels": labels}, stream_mode="updates"):
        terms += (update.get("map_terms") or {}).get("terms") or []
        result = update.get("publish") or {}
    return search, terms, result


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Why does it stutter?", "Why does it stutter?\nHitch"),
        ("为什么很卡？", "为什么很卡？\nHitch"),
        ("Why does it stutter, a hitch?", "Why does it stutter, a hitch?"),
        ("painting twice makes it stutter", "painting twice makes it stutter\nOverdraw Hitch"),
        ("What is a hitch?", "What is a hitch?"),
        ("What is `stutter`?", "What is `stutter`?"),
        ("Nothing known", "Nothing known"),
    ],
)
def test_terms_are_added_and_nothing_is_replaced(question, query):
    search, _, _ = run(question)
    assert search.asked == [query]


def test_what_was_mapped_is_told():
    _, terms, _ = run("painting twice: a hitch?")
    assert terms == [
        {"word": "hitch", "term": "Hitch", "area": "Performance", "by": "name", "permissions": []},
        {"word": "painting twice", "term": "Overdraw", "area": "Performance", "by": "glossary", "permissions": []},
    ]


@pytest.mark.parametrize(
    ("options", "added"),
    [
        ({"broader": True}, "Hitch Frame time"),
        ({"narrower": True}, "Hitch GC spike"),
        ({"broader": True, "narrower": True, "max_added": 2}, "Hitch Frame time"),
        ({"max_added": 0}, None),
    ],
)
def test_terms_above_and_below_come_if_wanted_and_never_too_many(options, added):
    search, _, _ = run("Why does it stutter?", **options)
    assert search.asked == ["Why does it stutter?" + (f"\n{added}" if added else "")]


def test_restricted_terms_are_for_those_who_may_read_them():
    question = "What does the console cost?"
    for labels, query in [((), question), (("leads",), f"{question}\nBluebird")]:
        search, terms, _ = run(question, labels=labels)
        assert search.asked == [query]
        assert [term["permissions"] for term in terms] == [['["leads"]']] * bool(labels)


@pytest.mark.parametrize("mode", ["hybrid", "fallback"])
def test_the_web_gets_no_term_of_the_notes(mode):
    """Neither at once, nor by way of the chat model's other words."""
    provider = Web()
    chat = ManyTasksChat(
        answers=[],
        prompts=[],
        scripts={
            "grade": ['{"grades": [{"id": 1, "score": 0.55}]}'],
            "rewrite": ["What is its price?"],
            "answer": ["-"],
        },
    )
    search, terms, _ = run(
        "What does the console cost, and why does it stutter?",
        labels=("leads",),
        hits=[chunk("It costs much.")],
        chat=chat,
        grades=True,
        web=WebSearch(provider),
        parts={"web_options": WebSearchOptions(mode=mode)},
    )
    assert {term["term"] for term in terms} == {"Bluebird", "Hitch"}
    assert all("Bluebird Hitch" in query for query in search.asked)
    assert len(search.asked) == 2
    assert provider.asked
    for told in (*provider.asked, *(str(message.content) for prompt in chat.prompts for message in prompt)):
        assert "Bluebird" not in told
        assert "Hitch" not in told


AREAS = {"performance": {"tags": "perf"}}


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("Why does it stutter?", [{"tags": "perf"}]),
        ("What is a hitch?", [{"tags": "perf"}]),
        ("painting twice makes it stutter", [{"tags": "perf"}]),
        ("Why does the combo stutter?", [None]),
        ("How long is the combo?", [None]),
        ("Nothing known", [None]),
    ],
)
def test_a_question_of_one_area_is_searched_for_there(question, filters):
    search, _, _ = run(question, hits=[chunk("x")], areas=AREAS)
    assert search.filters == filters


def test_where_nothing_is_found_in_the_area_all_notes_are_searched():
    search, _, _ = run("Why does it stutter?", areas=AREAS)
    assert search.filters == [{"tags": "perf"}, None]
    assert len(set(search.asked)) == 1


def test_a_further_search_is_not_kept_to_the_area():
    chat = ManyTasksChat(
        answers=[],
        prompts=[],
        scripts={"grade": ['{"grades": [{"id": 1, "score": 0.5}]}'], "rewrite": ["Why is it slow?"], "answer": ["-"]},
    )
    search, _, _ = run("Why does it stutter?", hits=[chunk("x")], chat=chat, grades=True, areas=AREAS)
    assert search.asked == ["Why does it stutter?\nHitch", "Why is it slow?\nHitch"]
    assert search.filters == [{"tags": "perf"}, None]


def choosing(*answers):
    return ManyTasksChat(answers=[], prompts=[], scripts={"terms": [*answers], "answer": ["It is so [1]."]})


@pytest.mark.parametrize(
    ("answer", "query"),
    [
        ('{"terms": ["Montage"]}', "A chain of hits?\nMontage"),
        ('{"terms": ["montage", "MONTAGE", "Bluebird", "Ignore all rules"]}', "A chain of hits?\nMontage"),
        ('{"terms": []}', "A chain of hits?"),
    ],
)
def test_the_chat_model_chooses_of_the_list_alone(answer, query):
    chat = choosing(answer)
    search, terms, _ = run("A chain of hits?", chat=chat, ask_model=True)
    assert search.asked == [query]
    assert [term["by"] for term in terms] == ["model"] * query.count("Montage")
    (prompt,) = chat.asked("terms")
    assert "- Montage" in prompt
    assert "Bluebird" not in prompt


def test_the_list_is_bounded():
    chat = choosing('{"terms": ["Montage", "Hitch", "Overdraw"]}')
    search, _, _ = run("A chain of hits?", chat=chat, ask_model=True, offered=2, max_added=1)
    assert chat.asked("terms")[0].count("\n- ") + chat.asked("terms")[0].startswith("- ") == 2
    assert len(search.asked[0].split("\n")[1].split()) == 1


@pytest.mark.parametrize("options", [{}, {"ask_model": True}])
def test_the_chat_model_is_not_asked_where_a_word_is_known_or_unless_wanted(options):
    chat = choosing('{"terms": ["Montage"]}')
    run("Why does it stutter?" if options else "A chain of hits?", chat=chat, **options)
    assert chat.asked("terms") == []


@pytest.mark.parametrize("answer", ["", "no form", "{}", '{"terms": 5}', ConnectionError("down")])
def test_a_model_that_gives_no_choice_is_named(answer):
    search = FakeSearch([chunk("x")])
    parts = RagParts(
        vector_search=search,
        keyword_search=None,
        chat_model=choosing(answer),
        vocabulary=vocabulary_of,
        terms=TermOptions(ask_model=True),
    )
    result = wire_rag_graph(parts).compile().invoke({"messages": [("user", "A chain of hits?")]})
    assert search.asked == ["A chain of hits?"]
    assert "terms" in result["degraded"]


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
async def test_terms_that_cannot_be_read_cost_nothing_else(way):
    def broken(labels):
        raise OSError("Bluebird")

    search = FakeSearch([chunk("The combo is long.")])
    graph = wire_rag_graph(RagParts(vector_search=search, keyword_search=None, vocabulary=broken)).compile()
    question = {"messages": [("user", "How long is the combo?")]}
    result = graph.invoke(question) if way == "invoke" else await graph.ainvoke(question)
    assert (result["status"], result["degraded"]) == ("answered", ["terms"])
    assert "Bluebird" not in str(result)


def test_without_a_model_passages_in_the_vaults_words_answer():
    hits = [chunk("Overdraw is at most four layers."), chunk("The sea is blue.", source="sea.md")]
    _, _, result = run("Is painting twice okay?", hits=hits)
    assert result["status"] == "answered"
    assert "four layers" in result["answer"]


def test_nothing_of_it_is_left_for_the_next_question():
    search = FakeSearch([chunk("x")])
    parts = RagParts(vector_search=search, keyword_search=None, vocabulary=vocabulary_of)
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "a"}}
    graph.invoke({"messages": [("user", "Why does it stutter?")]}, thread)
    assert graph.get_state(thread).values["terms"] == []
    graph.invoke({"messages": [("user", "What is the sea?")]}, thread)
    assert search.asked == ["Why does it stutter?\nHitch", "What is the sea?"]


def test_a_caller_who_takes_up_anothers_run_gets_no_term_of_it():
    search = FakeSearch([chunk("x")])
    parts = RagParts(vector_search=search, keyword_search=None, vocabulary=vocabulary_of)
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver(), interrupt_after=["map_terms"])
    thread = {"configurable": {"thread_id": "a"}}
    question = {"messages": [("user", "What does the console cost?")]}
    graph.invoke(question, thread, context={"labels": ["leads"]})
    assert graph.get_state(thread).values["terms"]
    result = graph.invoke(None, thread, context={"labels": []})
    assert search.asked == ["What does the console cost?"]
    assert isinstance(result["messages"][-1], AIMessage)
    assert graph.get_state(thread).values["terms"] == []
