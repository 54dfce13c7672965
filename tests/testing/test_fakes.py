"""The parts for tests do what they were told, and remember what they were asked."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from obsirag.retrievers import WebHit, WebPage
from obsirag.testing import FakeEmbeddings, FakeSearch, ScriptedChatModel

ASK = [SystemMessage("Be short."), HumanMessage("How long?")]


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4), st.integers(1, 8))
def test_answers_come_in_order_and_the_last_one_for_ever(answers, count):
    model = ScriptedChatModel(answers=answers)
    came = [model.invoke(ASK).text for _ in range(count)]
    assert came == [answers[min(number, len(answers) - 1)] for number in range(count)]
    assert len(model.prompts) == count


@given(st.text(min_size=1))
def test_pieces_make_up_the_answer(answer):
    model = ScriptedChatModel(answers=[answer])
    assert "".join(piece.text for piece in model.stream(ASK)) == answer

    async def read():
        return [piece.text async for piece in model.astream(ASK)]

    assert "".join(asyncio.run(read())) == answer


def test_answers_come_by_what_stands_in_the_prompt():
    model = ScriptedChatModel(answers={"How": ["first", "second"], "Be": AIMessage("whole"), "": ValueError("no")})
    assert [model.invoke(ASK).text for _ in range(3)] == ["first", "second", "second"]
    assert model.invoke(ASK[:1]).text == "whole"
    with pytest.raises(ValueError, match="no"):
        model.invoke("Something else")
    with pytest.raises(LookupError, match=r"no answer for this prompt, in which none of .*'How'"):
        ScriptedChatModel(answers={"How": "x"}).invoke("Why?")
    with pytest.raises(LookupError, match="no answers were given"):
        ScriptedChatModel(answers=[]).invoke("Why?")


def test_answers_come_from_a_function():
    model = ScriptedChatModel(answers=lambda messages: f"{len(messages)} messages")
    assert model.invoke(ASK).text == "2 messages"
    assert model.asked("short") == ["Be short.\n\nHow long?"]
    assert model.asked("tall") == []


def test_exceptions_are_raised_in_each_way_of_asking():
    model = ScriptedChatModel(answers=[ConnectionError("down")])
    for call in (
        model.invoke,
        lambda given: list(model.stream(given)),
        lambda given: asyncio.run(model.ainvoke(given)),
    ):
        with pytest.raises(ConnectionError, match="down"):
            call(ASK)


def test_a_streamed_answer_may_break_off():
    stream = ScriptedChatModel(answers=["one two three"], breaks_after=2).stream(ASK)
    assert [next(stream).text, next(stream).text] == ["one", " two"]
    with pytest.raises(ConnectionError, match="broke off"):
        next(stream)


def test_tokens_are_counted_unless_they_are_not():
    usage = ScriptedChatModel(answers=["four words are here"]).invoke(ASK).usage_metadata
    assert usage["input_tokens"] + usage["output_tokens"] == usage["total_tokens"] > 0
    streamed = None
    for piece in ScriptedChatModel(answers=["four words are here"]).stream(ASK):
        streamed = piece if streamed is None else streamed + piece
    assert streamed.usage_metadata == usage
    assert ScriptedChatModel(answers=["x"], counts_tokens=False).invoke(ASK).usage_metadata is None


def test_embeddings_give_what_they_were_given():
    part = FakeEmbeddings(2, vectors={"a": [1, 0]})
    assert part.embed_documents(["a"]) == [[1, 0]]
    assert len(part.embed_query("b")) == 2
    assert part.asked == ["a", "b"]
    with pytest.raises(OSError, match="down"):
        FakeEmbeddings(error=OSError("down")).embed_documents(["a"])


def test_a_search_finds_what_it_was_told_within_the_wanted_domains():
    hits = [WebHit("https://sub.a.org/", "A", "x"), WebHit("https://b.org/", "B", "y")]
    part = FakeSearch(hits, pages={"https://b.org/": "Text."})
    assert part.search("q", limit=5) == hits
    assert part.search("q", limit=1) == hits[:1]
    assert part.search("q", limit=5, allow_domains=["a.org"]) == hits[:1]
    assert part.search("q", limit=5, block_domains=["a.org"]) == hits[1:]
    assert part.extract([each.url for each in hits]) == [WebPage("https://b.org/", "Text.")]
    assert (part.asked, part.read) == (["q"] * 4, ["https://sub.a.org/", "https://b.org/"])
    with pytest.raises(OSError, match="down"):
        FakeSearch(error=OSError("down")).search("q", limit=1)
