"""Faults that are planted into a chat model, each with the check that has to find it."""

from time import sleep

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk

from obsirag.testing import ChatModelConformance, ScriptedChatModel, run_conformance
from planted import assert_caught


class Chat(ScriptedChatModel):
    """The chat model that faults are planted into: as it is, it conforms."""

    answers: object = ("one, two, three, four",)


class SaysNothing(Chat):
    answers: object = ("  \n",)


class GivesText(Chat):
    def invoke(self, *args, **kwargs):
        return "text instead of a message"


class GivesNone(Chat):
    def invoke(self, *args, **kwargs):
        return None


class TakesOneMessageOnly(Chat):
    def _answer(self, messages):
        if len(messages) > 2:
            raise ValueError("roles must alternate")
        return super()._answer(messages)


class SpeaksAsciiOnly(Chat):
    def _answer(self, messages):
        messages[-1].text.encode("ascii")
        return super()._answer(messages)


class ReadsAPageOnly(Chat):
    def _answer(self, messages):
        if len(messages[-1].text) > 2000:
            raise ValueError("context length exceeded")
        return super()._answer(messages)


class HasNoAsynchronousCalls(Chat):
    async def ainvoke(self, *args, **kwargs):
        raise NotImplementedError


class StreamsNothing(Chat):
    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        yield ChatGenerationChunk(message=AIMessageChunk(content="", chunk_position="last"))


class StreamsNothingAsynchronously(Chat):
    async def _astream(self, messages, stop=None, run_manager=None, **kwargs):
        yield ChatGenerationChunk(message=AIMessageChunk(content="", chunk_position="last"))


class RepeatsWhatItSaid(Chat):
    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        words = self._answer(messages).text.split(" ")
        for number in range(len(words)):
            yield ChatGenerationChunk(message=AIMessageChunk(content=" ".join(words[: number + 1])))


class AnswersOneAtATime(Chat):
    busy: bool = False

    def _answer(self, messages):
        if self.busy:
            raise RuntimeError("the model is busy")
        self.busy = True
        sleep(0.05)
        self.busy = False
        return super()._answer(messages)


class ChangesWhatItGets(Chat):
    def invoke(self, messages, *args, **kwargs):
        messages.append(AIMessage("and one more"))
        return super().invoke(messages, *args, **kwargs)


class ChangesTheTextItGets(Chat):
    def _answer(self, messages):
        messages[-1].content = f"{messages[-1].content} /no_think"
        return super()._answer(messages)


def counting(**counts):
    class Counts(Chat):
        def _answer(self, messages):
            answer = super()._answer(messages)
            return answer.model_copy(update={"usage_metadata": {**answer.usage_metadata, **counts}})

    Counts.__name__ = f"Counts{counts}"
    return Counts


class CannotShowItsAnswer(Chat):
    def with_structured_output(self, schema, **kwargs):
        class Structured:
            def invoke(self, *args):
                return {"parsed": schema(name="apple", is_sweet=True), "raw": None}

        return Structured()


CHAT = {
    SaysNothing: "test_instructions_and_a_question_are_answered",
    GivesText: "test_instructions_and_a_question_are_answered",
    GivesNone: "test_instructions_and_a_question_are_answered",
    TakesOneMessageOnly: "test_a_conversation_is_taken",
    SpeaksAsciiOnly: "test_hard_texts_are_taken",
    ReadsAPageOnly: "test_a_long_prompt_is_taken",
    HasNoAsynchronousCalls: "test_asynchronous_calls_are_answered",
    StreamsNothing: "test_an_answer_can_be_read_piece_by_piece",
    StreamsNothingAsynchronously: "test_an_answer_can_be_read_piece_by_piece_asynchronously",
    RepeatsWhatItSaid: "test_pieces_go_on_and_do_not_begin_anew",
    AnswersOneAtATime: "test_several_calls_at_a_time_are_answered",
    ChangesWhatItGets: "test_what_is_given_stays_as_it_is",
    ChangesTheTextItGets: "test_what_is_given_stays_as_it_is",
    counting(input_tokens=100): "test_tokens_are_counted",
    counting(output_tokens=-1): "test_tokens_are_counted",
    counting(total_tokens=1): "test_tokens_are_counted",
    CannotShowItsAnswer: "test_an_answer_by_json_schema_comes_with_its_text",
}


def kit(made):
    return type(made.__name__, (ChatModelConformance,), {"make": lambda *_: made()})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(Chat)).conforms


@pytest.mark.parametrize(("fault", "check"), CHAT.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)
