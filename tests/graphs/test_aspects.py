"""Questions about several things: taken apart, searched for and answered part by part, put together."""

import asyncio
import json
from dataclasses import replace
from itertools import permutations
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ManyTasksChat, chunk, task_of
from obsirag.config import AnswerOptions, AspectOptions, BudgetOptions
from obsirag.graphs.aspects import by_aspect, may_have_aspects, query_of, split_by_rule, united, usable_aspects
from obsirag.graphs.bounds import bounds_of_parts
from obsirag.graphs.citation_marks import find_marks, keep_marks
from obsirag.graphs.citations import cite_marks
from obsirag.graphs.nodes.compose import compose
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.state import empty_state

TIMER = chunk("The respawn timer of the arena is 8 seconds.", source="Timer.md")
BUDGET = chunk("The texture budget of the arena is 600 MB.", source="Budget.md")
SECRET = chunk("The texture budget of the arena rises to 900 MB in May.", source="Plan.md", permissions=['["leads"]'])
NOTES = [TIMER, BUDGET, SECRET]
QUESTION = "How long is the respawn timer of the arena, and what is the texture budget of the arena?"
PARTS = ["How long is the respawn timer of the arena?", "What is the texture budget of the arena?"]


class WordSearch:
    """Finds the notes that share most words with a query."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def search(self, query: str, *, labels: Any = (), limit: int, **_: Any) -> list[Document]:
        self.asked.append(query)
        words = set(query.casefold().strip("?").split())
        readable = [each for each in NOTES if not each.metadata["permissions"] or "leads" in labels]
        ranked = sorted(readable, key=lambda each: -len(words & set(each.page_content.casefold().split())))
        return ranked[: min(limit, 1)]


def plan(parts: list[str] = PARTS) -> str:
    return json.dumps({"parts": [{"question": part, "keywords": "arena"} for part in parts]})


def chat(**scripts: list[Any]) -> ManyTasksChat:
    return ManyTasksChat(answers=[], prompts=[], scripts={"plan": [plan()], "answer": ["It is that [1]."], **scripts})


def parts_of(model: Any = None, **options: Any) -> RagParts:
    searches = {"vector_search": WordSearch(), "keyword_search": WordSearch(), **options}
    return RagParts(chat_model=model, plans=True, vault="notes", **searches)


def ask(parts: RagParts, question: str = QUESTION, labels: Any = (), **options: Any) -> dict[str, Any]:
    graph = wire_rag_graph(parts).compile(**options)
    config = {"configurable": {"thread_id": "a"}, "recursion_limit": bounds_of_parts(parts).recursion_limit}
    return graph.invoke({"messages": [("user", question)]}, config, context={"labels": labels})


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("How long is the respawn timer of the arena?", False),
        ("重生计时器是几秒？", False),
        ("Hello and bye", False),
        (QUESTION, True),
        ("港口关的绘制调用超了 PC 预算多少？谁负责改？", True),
        ("暴击系数是什么时候从多少改到多少的，现在暴击时公式里的倍率是多少？", True),
        ("What is the difference between HISM and ISM components?", True),
        ("软引用和硬引用的区别是什么，加载时各自怎么表现？", True),
    ],
)
def test_a_question_about_one_thing_is_told_by_rule(question, several):
    assert may_have_aspects(question) is several


@given(st.text(alphabet="?？,，、和ab \n", max_size=300))
def test_no_text_breaks_the_rules(text):
    assert may_have_aspects(text) in (True, False)
    aspects = split_by_rule(text)
    assert len(aspects) != 1
    assert all(aspect["text"] in text for aspect in aspects)


def test_sentences_are_aspects_only_if_each_can_be_understood_alone():
    two = "港口关的绘制调用超了预算多少？新手关的贴图预算由谁负责？"
    assert [each["text"] for each in split_by_rule(two)] == two.replace("？", "？\n").splitlines()
    assert split_by_rule("港口关的绘制调用超了预算多少？谁负责改？") == []
    assert split_by_rule("What is the texture budget of the arena? And who changes it in the end?") == []


@pytest.mark.parametrize(
    ("question", "several"),
    [
        (QUESTION, PARTS),
        ("Two things:\n1. {0}\n2. {1}", PARTS),
        ("- {0}\n- {1}", PARTS),
        ("(1) {0}\n\n(2) {1}", PARTS),
        ("发布流由谁负责，客户端上次什么时候发布？", ["发布流由谁负责？", "客户端上次什么时候发布？"]),
        ("1、发布流由谁负责？\n2、客户端上次什么时候发布？", ["发布流由谁负责？", "客户端上次什么时候发布？"]),
        # One side asks nothing, refers to the other, or cannot be searched for alone.
        ("If the arena crashes, what should a tester of the client do?", []),
        ("How does the respawn timer work, and what does it depend on?", []),
        ("What is the culling distance of the arena, and why?", []),
        ("竞技场的服务器崩溃时，谁负责重启？", []),
        ("Which tools format the code and which tools lint the project?", []),
    ],
)
def test_questions_in_a_list_or_behind_a_comma_are_taken_apart_where_each_stands_alone(question, several):
    found = [each["text"] for each in split_by_rule(question.format(*PARTS))]
    assert [text.casefold() for text in found] == [text.casefold() for text in several]


@pytest.mark.parametrize(
    "parts",
    [
        [],
        PARTS[:1],
        [PARTS[0], PARTS[0]],
        [PARTS[0], ""],
        [PARTS[0], "Who shot the harbour cat?"],  # nobody asked
        [PARTS[0], "What is the texture budget of the Switch2 arena?"],  # a name from nowhere
        [PARTS[0], "The texture budget of the arena is 600 MB [1]."],  # an answer
        ["How long is it of the arena?", "What is the arena?"],  # half of it is gone
        [*PARTS, "What is the arena?", "What is the timer?", "What is the budget?"],  # too many
        [PARTS[0], "texture budget arena " * 100],
    ],
)
def test_parts_that_are_not_those_of_the_question_are_not_used(parts):
    assert usable_aspects([(part, "") for part in parts], QUESTION, 4) == []


def test_parts_of_the_question_are_used():
    aspects = usable_aspects([(part, "arena") for part in PARTS], QUESTION, 4)
    assert [each["text"] for each in aspects] == PARTS


def test_each_aspect_is_searched_for_and_answered_from_its_own_passages():
    model = chat()
    parts = parts_of(model)
    result = ask(parts)
    assert sorted(parts.vector_search.asked) == sorted(PARTS)
    assert sorted(parts.keyword_search.asked) == sorted(f"{part} arena" for part in PARTS)
    prompts = model.asked("answer")
    assert len(prompts) == len(PARTS)
    assert all((TIMER.page_content in prompt) != (BUDGET.page_content in prompt) for prompt in prompts)
    assert all((PARTS[0] in prompt) == (TIMER.page_content in prompt) for prompt in prompts)
    assert result["status"] == "answered"
    assert result["degraded"] == []


def test_citations_are_numbered_once_over_all():
    model = chat(answer=["The respawn timer is 8 seconds [1]. The texture budget is 600 MB [1]."])
    result = ask(parts_of(model))
    numbers = [number for mark in find_marks(result["answer"]) for number in mark.numbers]
    assert [each["number"] for each in result["citations"]] == sorted(set(numbers)) == [1, 2]
    assert [each["source"] for each in result["citations"]] == ["Timer.md", "Budget.md"]
    assert result["answer"].index(PARTS[0]) < result["answer"].index("[1]") < result["answer"].index(PARTS[1])


def test_without_a_chat_model_the_sentences_are_quoted_for_and_that_is_said_once():
    question = " ".join(PARTS)
    result = ask(parts_of(), question)
    assert result["answer"].count("No chat model is in use") == 1
    assert "8 seconds" in result["answer"]
    assert "600 MB" in result["answer"]
    assert [each["number"] for each in result["citations"]] == [1, 2]


def test_a_part_without_an_answer_is_said_to_have_none_and_costs_the_others_nothing():
    question = "How long is the respawn timer of the arena? What is the salary of the harbour pilot?"
    result = ask(parts_of(), question)
    assert result["status"] == "answered"
    assert "The notes hold no answer to this part." in result["answer"]
    assert "8 seconds" in result["answer"]
    assert [each["source"] for each in result["citations"]] == ["Timer.md"]


def test_no_part_with_an_answer_is_no_answer():
    question = "Who is the pilot of the harbour boat? What is the salary of the harbour pilot?"
    result = ask(parts_of(), question)
    assert (result["status"], result["citations"]) == ("not_found", [])


@pytest.mark.parametrize("broken", ["```\nrespawn timer 8", "~~~\nx", "$$ 8", "`8", "<!-- 8", "%% 8"])
def test_what_a_part_leaves_open_does_not_swallow_the_next(broken):
    model = chat(answer=[f"The respawn timer is 8 seconds, the texture budget 600 MB [1].\n\n{broken}"])
    result = ask(parts_of(model))
    numbers = {number for mark in find_marks(result["answer"]) for number in mark.numbers}
    assert numbers == {each["number"] for each in result["citations"]} == {1, 2}


def test_each_passage_is_graded_once_however_many_aspects_found_it():
    both = FakeSearch(NOTES[:2])
    grades = json.dumps({"grades": [{"id": 1, "score": 0.9}, {"id": 2, "score": 0.9}]})
    model = chat(grade=["no form", grades])
    parts = parts_of(model, vector_search=both, keyword_search=both)
    parts = replace(parts, grades=True)
    ask(parts)
    (prompt, *_) = model.asked("grade")
    assert prompt.count(TIMER.page_content) == prompt.count(BUDGET.page_content) == 1
    assert all(part in prompt for part in PARTS)
    assert all(TIMER.page_content in each and BUDGET.page_content in each for each in model.asked("answer"))


def test_a_question_about_one_thing_goes_the_usual_way():
    model = chat(plan=[plan(PARTS[:1])], answer=["The respawn timer is 8 seconds [1]."])
    parts = parts_of(model)
    result = ask(parts, PARTS[0])
    assert model.asked("plan") == []
    assert parts.vector_search.asked == PARTS[:1]
    assert result["answer"] == "The respawn timer is 8 seconds [1]."


@pytest.mark.parametrize(
    "given", [ConnectionError("gone"), "", "no json", "{}", '{"parts": []}', '{"parts": "x"}', plan(["x"])]
)
@pytest.mark.parametrize(("question", "asked"), [(QUESTION, PARTS), (QUESTION.replace(",", ""), None)])
def test_where_a_model_takes_nothing_apart_the_rule_does_or_the_question_stays_whole(given, question, asked):
    model = chat(plan=[given], answer=["The respawn timer is 8 seconds [1]."])
    parts = parts_of(model)
    result = ask(parts, question)
    found = sorted(text.casefold() for text in parts.vector_search.asked)
    assert found == [text.casefold() for text in asked or [question]]
    assert result["status"] == "answered"
    assert result["degraded"] in ([], ["plan"])


def test_a_part_whose_model_fails_is_quoted():
    model = chat(answer=[ConnectionError("gone"), "The texture budget of the arena is 600 MB [1]."])
    result = ask(parts_of(model))
    assert result["degraded"] == ["chat_model"]
    assert "8 seconds" in result["answer"]
    assert "600 MB" in result["answer"]
    assert [each["number"] for each in result["citations"]] == [1, 2]


def test_one_search_that_fails_loses_only_its_own_hits():
    class Failing(WordSearch):
        def search(self, query: str, **options: Any) -> list[Document]:
            if query == PARTS[0]:
                raise ConnectionError("gone")
            return super().search(query, **options)

    result = ask(parts_of(chat(), vector_search=Failing()))
    assert result["degraded"] == ["vector_search"]
    assert {each["source"] for each in result["citations"]} == {"Timer.md", "Budget.md"}


@pytest.mark.parametrize("calls", range(5))
def test_the_budget_holds_over_all_parts(calls):
    model = chat()
    parts = parts_of(model)
    parts = RagParts(
        **{
            **{name: getattr(parts, name) for name in parts.__dataclass_fields__},
            "budget": BudgetOptions(model_calls=calls),
        }
    )
    result = ask(parts)
    assert len(model.prompts) <= calls
    assert result["status"] == "answered"
    assert ("budget" in result["degraded"]) == (calls < 3)


@pytest.mark.parametrize("limit", range(3, 10))
def test_under_any_limit_of_steps_there_is_an_ending(limit):
    graph = wire_rag_graph(parts_of(chat())).compile()
    result = graph.invoke({"messages": [("user", QUESTION)]}, {"recursion_limit": limit})
    assert result["status"] in ("answered", "not_found")
    assert result["messages"][-1].text == result["answer"] != ""


def test_the_bounds_are_reached_and_not_passed():
    model = chat(plan=["no form"] * 2 + [plan()], answer=["It is 9 s [1]", "It is 10 s [1].", "It is 11 s [1]."] * 4)
    parts = parts_of(model)
    result = ask(parts)
    assert result["status"] == "answered"
    assert len(model.prompts) <= bounds_of_parts(parts).chat_model_calls


def test_who_may_not_read_a_part_gets_nothing_of_it():
    public, leads = (ask(parts_of(chat(), keyword_search=None), labels=labels) for labels in ((), ("leads",)))
    assert "900 MB" not in str(public)
    assert {each["source"] for each in public["citations"]} == {"Timer.md", "Budget.md"}
    # Which of two notes with as many words in common is found is the search's to say; what is found is marked.
    is_secret = "Plan.md" in {each["source"] for each in leads["citations"]}
    assert leads["messages"][-1].additional_kwargs["obsirag"]["permissions"] == (['["leads"]'] if is_secret else [])


STEPS = ["vector_search", "fuse", "answer_aspect", "compose", "publish"]


@pytest.mark.parametrize("before", STEPS)
def test_a_stopped_run_taken_up_by_a_stranger_gives_them_nothing(before):
    saver = InMemorySaver()
    model = chat(answer=["The texture budget rises to 900 MB in May [1]."])
    secret = FakeSearch([SECRET, TIMER])
    graph = wire_rag_graph(parts_of(model, vector_search=secret, keyword_search=None)).compile(
        checkpointer=saver, interrupt_before=[before]
    )
    config = {"configurable": {"thread_id": "a"}}
    graph.invoke({"messages": [("user", QUESTION)]}, config, context={"labels": ["leads"]})
    asked = len(model.prompts)
    while graph.get_state(config).next:
        result = graph.invoke(None, config, context={"labels": []})
    assert "900 MB" not in str(result)
    assert "Plan.md" not in str([str(message.content) for prompt in model.prompts[asked:] for message in prompt])


@pytest.mark.parametrize("before", STEPS)
def test_a_stopped_follow_up_on_what_a_stranger_may_not_read_ends_with_nothing(before):
    """It is marked with what it refers to; its searches and answers are parts that were sent."""
    answer = "The texture budget rises to 900 MB in May [1]."
    alone = "How long is the respawn timer of the arena, and what is the texture budget on hard?"
    model = chat(
        answer=[answer], contextualise=[alone], plan=[plan(), plan([f"{part[:-1]} on hard?" for part in PARTS])]
    )
    parts = parts_of(model, vector_search=FakeSearch([SECRET, TIMER]), keyword_search=None)
    parts = replace(parts, rewrites_follow_ups=True)
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "a"}}
    leads = {"labels": ["leads"]}
    graph.invoke({"messages": [("user", QUESTION)]}, config, context=leads)
    follow_up = "And how long is it, and what is the texture budget on hard?"
    graph.invoke({"messages": [("user", follow_up)]}, config, context=leads, interrupt_before=[before])
    assert before in graph.get_state(config).next
    asked = len(model.prompts)
    result = graph.invoke(None, config, context={"labels": []})
    assert result["status"] == "not_found"
    assert len(result["messages"]) == 1
    assert "900" not in str(result) + str(graph.get_state(config).values)
    assert not model.prompts[asked:]


def test_nothing_of_the_aspects_is_left_for_the_next_question():
    saver = InMemorySaver()
    graph = wire_rag_graph(parts_of(chat())).compile(checkpointer=saver)
    config = {"configurable": {"thread_id": "a"}}
    graph.invoke({"messages": [("user", QUESTION)]}, config)
    values = graph.get_state(config).values
    empty = empty_state()
    assert all(values[name] == empty[name] for name in ("aspects", "aspect_drafts", "rankings", "evidence"))


@pytest.mark.parametrize("is_async", [False, True])
def test_parts_are_searched_for_and_answered_side_by_side(is_async):
    texts = [f"What is the texture budget of arena number{each}?" for each in range(6)]
    at_once = Barrier(len(texts), timeout=20)

    class Searching(WordSearch):
        def search(self, query: str, **options: Any) -> list[Document]:
            at_once.wait()  # for all others, or it breaks
            return super().search(query, **options)

    class Answering(ManyTasksChat):
        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            if task_of(messages) == "answer":
                at_once.wait()
            return super()._generate(messages, *args, **kwargs)

    model = Answering(answers=[], prompts=[], scripts={"plan": [plan(texts)], "answer": ["600 MB [1]."]})
    parts = RagParts(
        vector_search=Searching(),
        keyword_search=None,
        chat_model=model,
        plans=True,
        aspects=AspectOptions(most=6),
        answers=AnswerOptions(max_regenerations=0),
    )
    graph = wire_rag_graph(parts).compile()
    given = {"messages": [("user", ", and ".join(texts))]}
    result = asyncio.run(graph.ainvoke(given)) if is_async else graph.invoke(given)
    assert len(model.asked("answer")) == len(texts)
    assert (result["status"], result["degraded"]) == ("answered", [])


@given(st.lists(st.lists(st.integers(0, 5), unique=True, max_size=5), min_size=1, max_size=4))
def test_united_passages_come_once_with_all_their_aspects(found):
    passages = {
        number: [chunk(f"text {each}", source=f"{each // 2}.md", line=each) for each in ids]
        for number, ids in enumerate(found, 1)
    }
    whole = united(passages)
    ids = [each.metadata["chunk_id"] for each in whole]
    assert len(ids) == len(set(ids))
    again = by_aspect(whole, len(found))
    for number, documents in passages.items():
        assert {each.id for each in again[number]} == {each.id for each in documents}
    for order in list(permutations(passages.items()))[:6]:
        assert united(dict(order)) == whole


def test_the_web_gets_an_aspect_only_in_words_that_persons_used():
    state: Any = {**empty_state(), "question": QUESTION, "search_text": QUESTION, "aspect": 1}
    state["aspects"] = [{"text": "How long is the respawn timer of Bluebird?", "keywords": ""}]
    assert query_of(state, "web_search") == QUESTION
    state["aspects"] = [{"text": PARTS[0], "keywords": "secret"}]
    assert query_of(state, "web_search") == PARTS[0]


_OPEN = [
    *("[1]", "[2, 3]", "【4】", "`", "```", "\n~~~\n", "$$", "$", "%%", "<!--", "-->", "[[", "]]", "**", "\\", "a[5]"),
    *("<b>", " ", "\n\n", "words", "8 seconds [1].", "|", "> ", "# "),
]
_LINKS = ["![x](https://evil.example.com/)", "<img src=//evil.example.com>", "https://evil.example.com"]


def _texts(pieces: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=8).map("".join)


@given(st.lists(st.tuples(_texts([*_OPEN, *_LINKS]), _texts(_OPEN)), min_size=2, max_size=3))
def test_whatever_is_asked_and_answered_each_mark_leads_to_its_own_citation(parts):
    drafts = {}
    for number, (_, text) in enumerate(parts, 1):
        kept, _ = keep_marks(text, [1])
        cited = cite_marks(kept, [chunk(f"Passage {number}.", source=f"{number}.md")], "", vault="v")
        drafts[str(number)] = {
            **{"text": kept, "origin": "model", "citations": cited, "permissions": [], "final": True, "read": ""},
            "message_id": "",
        }
    state: Any = {**empty_state(), "question": QUESTION, "aspect_drafts": drafts}
    state["aspects"] = [{"text": asked, "keywords": ""} for asked, _ in parts]
    draft = compose(state)["draft"]
    numbers = [number for mark in find_marks(draft["text"]) for number in mark.numbers]
    assert set(numbers) == {each["number"] for each in draft["citations"]}
    assert "evil.example.com" not in draft["text"] or "`" in draft["text"]


def test_no_plan_of_ones_own_has_more_aspects_than_the_bounds_count():
    aspects = [{"text": f"{part} {number}", "keywords": ""} for number in range(9) for part in PARTS]
    parts = parts_of(chat(), nodes={"plan": lambda state: {"aspects": aspects}})
    ask(parts)
    assert len(parts.vector_search.asked) == AspectOptions().most
    assert len(parts.chat_model.asked("answer")) <= bounds_of_parts(parts).chat_model_calls


@pytest.mark.parametrize("aspects", ["text", 7, None, {"1": 2}, "[1]"])
def test_a_passage_of_ones_own_with_a_field_of_that_name_is_for_all(aspects):
    own = chunk("The texture budget of the arena is 600 MB.", source="Own.md", aspects=aspects)
    result = ask(parts_of(chat(), nodes={"fuse": lambda state: {"evidence": [own]}}))
    assert [each["source"] for each in result["citations"]] == ["Own.md"]
