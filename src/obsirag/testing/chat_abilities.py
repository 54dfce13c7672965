"""What a chat model may be able to do beside what it must."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from obsirag.testing.chat_kit import ChatKit, Fruit
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.hard_texts import LONG_TEXT

__all__ = ["ChatAbilities"]


def _answers_in_form(method: str) -> Any:
    def is_there(kit: ChatAbilities) -> bool:
        return isinstance(kit.structured(method)["parsed"], Fruit)

    return is_there


def _form(method: str) -> Capability:
    return Capability(
        f"answers in a form: {method}",
        "another way is tried: where none is there, answers are searched for JSON, which fails more often",
        _answers_in_form(method),
    )


STREAMING = Capability(
    "streaming of its own",
    "an answer is seen only when all of it is there",
    lambda kit: type(kit.part)._stream is not BaseChatModel._stream,
)
TOKENS = Capability(
    "counts of tokens (`usage_metadata`)",
    "what a question costs is estimated, rather too high, so that its budget ends earlier",
    lambda kit: kit.part.invoke(kit.messages()).usage_metadata is not None,
)
JSON_SCHEMA, FUNCTION_CALLING, JSON_MODE = map(_form, ("json_schema", "function_calling", "json_mode"))


class ChatAbilities(ChatKit):
    """Checks of what a chat model may be able to do."""

    @check(of=STREAMING, harm="those who watch see the answer's beginning again and again")
    def test_pieces_go_on_and_do_not_begin_anew(self) -> None:
        pieces = [each.text for each in self.part.stream(self.messages()) if each.text]
        grows = len(pieces) > 2 and all(
            len(after) > len(before) and after.startswith(before) for before, after in pairwise(pieces)
        )
        expect(not grows, "pieces that each hold what is new", f"each with all that came before: {pieces[:3]}")

    @check(of=TOKENS, harm="questions are broken off too early, or cost more than they may")
    def test_tokens_are_counted(self) -> None:
        short = self.part.invoke(self.messages()).usage_metadata
        long = self.part.invoke([HumanMessage(f"{LONG_TEXT}\n\n{self.prompt}")]).usage_metadata
        for each in (short, long):
            counts = [each["input_tokens"], each["output_tokens"]]
            expect(all(isinstance(count, int) and count > 0 for count in counts), "whole numbers over 0", counts)
            expect(each["total_tokens"] >= sum(counts), f"a total of at least {sum(counts)}", each["total_tokens"])
        expect(
            long["input_tokens"] > short["input_tokens"] + 100,
            f"more for a prompt of {len(LONG_TEXT)} characters more",
            [short["input_tokens"], long["input_tokens"]],
        )

    @check(of=JSON_SCHEMA, harm="what notes are relevant, and what a question is after, is decided by rules alone")
    def test_an_answer_by_json_schema_comes_with_its_text(self) -> None:
        self._check_form("json_schema")

    @check(of=FUNCTION_CALLING, harm="where JSON schemas are not known, decisions are made by rules alone")
    def test_an_answer_by_function_calling_comes_with_its_text(self) -> None:
        self._check_form("function_calling")

    @check(of=JSON_MODE, harm="where JSON schemas are not known, decisions are made by rules alone")
    def test_an_answer_by_json_mode_comes_with_its_text(self) -> None:
        self._check_form("json_mode")

    def structured(self, method: str) -> dict[str, Any]:
        """Return an answer in a form, with the message it is read from."""
        model = self.part.with_structured_output(Fruit, method=method, include_raw=True)
        came: dict[str, Any] = model.invoke([HumanMessage(self.structured_prompt)])
        return came

    def _check_form(self, method: str) -> None:
        came = self.structured(method)
        expect({"raw", "parsed"} <= set(came), "`raw` and `parsed`, as include_raw=True asks for", sorted(came))
        expect(hasattr(came["raw"], "usage_metadata"), "the message in `raw`", type(came["raw"]).__name__)

        async def ask() -> Any:
            model = self.part.with_structured_output(Fruit, method=method, include_raw=True)
            return await model.ainvoke([HumanMessage(self.structured_prompt)])

        again = self.run_async(ask)
        expect(again.get("parsed") is not None, "the same form in asynchronous calls", again)
