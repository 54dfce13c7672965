"""Reply without the notes: to small talk, and to what is asked about the last answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.documents import Document
from langchain_core.messages import HumanMessage, SystemMessage

from obsirag.config import IntentMessages
from obsirag.graphs.chat import LONGEST_ANSWER
from obsirag.graphs.citation_marks import find_marks, keep_marks, says_something
from obsirag.graphs.drafts import no_answer, said_draft
from obsirag.graphs.earlier_turns import citations_of
from obsirag.graphs.intents import small_talk
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.link_filter import drop_unknown_links
from obsirag.graphs.model_calls import Reply, Request, Work, part_of
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.state import EarlierTurn, RagState
from obsirag.records import Citation

__all__ = ["ConverseNode"]


@dataclass(frozen=True, slots=True)
class ConverseNode:
    """Let the chat model reply, with nothing but what was said before.

    Small talk has no citations. Of an answer about the last answer those marks are kept that stood in it, with their
    citations. Where the model fails, small talk is replied to by rule, and the last answer is given again.

    Args:
        messages: What is said in the place of obsirag's own words.
        prompts: The prompts.
        has_model: Whether there is a chat model.
        drops_unknown_links: Whether images and links are taken out whose address the last answer and its sources lack.
    """

    messages: IntentMessages
    prompts: Prompts
    has_model: bool
    drops_unknown_links: bool = False

    def work(self, state: RagState) -> Work:
        """Return the update with what is said."""
        if state["intent"]["kind"] == "about_answer":
            return (yield from self._about_answer(state))
        return (yield from self._small_talk(state))

    def _small_talk(self, state: RagState) -> Work:
        language = language_of(state["question"])
        failed = list[str]()
        if self.has_model:
            reply = yield self._request("converse", language, question=harmless(state["question"]))
            if text := self._text(reply, (), ()):
                return {"draft": said_draft(state, text, "conversation")}
            failed = [part_of(reply.error, "chat_model")]
        canned = self.messages.chitchat or notice(small_talk(state["question"]) or "greeting", language)
        return {"draft": said_draft(state, canned, "conversation"), "degraded": failed}

    def _about_answer(self, state: RagState) -> Work:
        if not state["earlier"]:
            return {"draft": no_answer(state)}
        last, language = state["earlier"][-1], language_of(state["question"])
        citations = citations_of(state["messages"], last["message_id"])
        failed = list[str]()
        if self.has_model:
            reply = yield self._request(
                "about_answer",
                language,
                asked=harmless(last["question"]),
                answer=harmless(last["answer"][:LONGEST_ANSWER]),
                sources="\n".join(map(_source, citations)),
                question=harmless(state["question"]),
            )
            if text := self._text(reply, [each["number"] for each in citations], _documents(last, citations)):
                used = {number for mark in find_marks(text) for number in mark.numbers}
                kept = [each for each in citations if each["number"] in used]
                return {"draft": said_draft(state, text, "conversation", kept)}
            failed = [part_of(reply.error, "chat_model")]
        again = f"{notice('answer_again', language)}\n\n{last['answer']}"
        return {"draft": said_draft(state, again, "conversation", citations), "degraded": failed}

    def _request(self, name: str, language: Language, **values: str) -> Request:
        system = SystemMessage(self.prompts.fill(f"{name}_system", language))
        return Request([system, HumanMessage(self.prompts.fill(name, language, **values))])

    def _text(self, reply: Reply, numbers: Sequence[int], given: Sequence[Document]) -> str:
        """Return what the model said, with the marks of these numbers alone; empty if that is nothing."""
        text = reply.text[:LONGEST_ANSWER].rstrip()
        if self.drops_unknown_links:
            text = drop_unknown_links(text, given)
        text = keep_marks(text, numbers)[0].strip()
        return text if says_something(text) else ""


def _source(citation: Citation) -> str:
    place = " > ".join([citation["title"], *citation["headings"]])
    return harmless(f"  [{citation['number']}] {place} ({citation['source']}): {' '.join(citation['quote'].split())}")


def _documents(last: EarlierTurn, citations: Sequence[Citation]) -> list[Document]:
    return [Document(text) for text in (last["question"], last["answer"], *(each["quote"] for each in citations))]
