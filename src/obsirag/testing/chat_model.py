"""What obsirag needs of a chat model."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from obsirag.testing.chat_abilities import ChatAbilities
from obsirag.testing.chat_kit import text_of
from obsirag.testing.checks import check, expect
from obsirag.testing.hard_texts import HARD_TEXTS, LONG_TEXT

__all__ = ["ChatModelConformance"]

_QUOTED = "questions get no answers, only quotes of what was found"


class ChatModelConformance(ChatAbilities):
    """Checks of a LangChain chat model; a subclass has the method :meth:`make`.

    What a model says is its own affair. So it is checked that it answers, not what; whether it keeps to instructions
    is measured with ``obsirag eval``.
    """

    @check(harm=_QUOTED)
    def test_instructions_and_a_question_are_answered(self) -> None:
        came = self.part.invoke(self.messages())
        expect(isinstance(came, AIMessage), "an AIMessage", type(came).__name__)
        text_of(came)

    @check(harm="follow-up questions fail")
    def test_a_conversation_is_taken(self) -> None:
        earlier = [HumanMessage("What is two plus two?"), AIMessage("Four.")]
        text_of(self.part.invoke([SystemMessage("You answer in short."), *earlier, HumanMessage(self.prompt)]))

    @check(harm="questions about notes with such text fail")
    def test_hard_texts_are_taken(self) -> None:
        for name, text in HARD_TEXTS.items():
            text_of(self.part.invoke([HumanMessage(f"{text}\n\n{self.prompt}")]), f"an answer to text with {name}")

    @check(harm="questions for which much was found fail")
    def test_a_long_prompt_is_taken(self) -> None:
        text_of(self.part.invoke([HumanMessage(f"{LONG_TEXT * 2}\n\n{self.prompt}")]))

    @check(harm="asynchronous runs and servers get no answers")
    def test_asynchronous_calls_are_answered(self) -> None:
        async def ask() -> Any:
            return await self.part.ainvoke(self.messages())

        text_of(self.run_async(ask))

    @check(harm="nobody sees an answer while it is written, and chat front ends show nothing")
    def test_an_answer_can_be_read_piece_by_piece(self) -> None:
        pieces = [*self.part.stream(self.messages())]
        text_of("".join(text_of_piece(each) for each in pieces), "pieces that make up an answer with text")

    @check(harm="nobody sees an answer while it is written, in asynchronous runs")
    def test_an_answer_can_be_read_piece_by_piece_asynchronously(self) -> None:
        async def ask() -> list[Any]:
            return [each async for each in self.part.astream(self.messages())]

        text_of("".join(text_of_piece(each) for each in self.run_async(ask)), "pieces that make up an answer with text")

    @check(harm="the aspects of a question, or two people's questions, disturb each other")
    def test_several_calls_at_a_time_are_answered(self) -> None:
        for came in self.side_by_side([lambda: self.part.invoke(self.messages())] * 3):
            text_of(came)

    @check(harm="the next call, and the record of the run, hold something that nobody said")
    def test_what_is_given_stays_as_it_is(self) -> None:
        given = self.messages()
        before = deepcopy(given)
        self.part.invoke(given)
        expect(given == before, "the messages as they were", given)


def text_of_piece(piece: Any) -> str:
    """Return the text of a piece, which may be empty."""
    text = getattr(piece, "text", piece)
    expect(isinstance(text, str), "pieces that are messages", type(piece).__name__)
    return str(text)
