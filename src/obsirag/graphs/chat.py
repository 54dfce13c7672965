"""Asking the chat model: what it gets, and what its answer means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from obsirag.graphs.citation_marks import find_marks, keep_marks
from obsirag.graphs.language import Language
from obsirag.graphs.passages import format_passages, harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.state import EarlierTurn

__all__ = [
    "LONGEST_ANSWER",
    "LONGEST_THINKING",
    "answer_messages",
    "conversation_lines",
    "says_not_found",
    "text_of",
    "without_thinking",
]

# The most that is taken of a model's answer, in characters: one that repeats itself for ever is cut here, and says so.
LONGEST_ANSWER = 20_000
# The most that a model may say to itself before it.
LONGEST_THINKING = 200_000
# What is passed on of an earlier answer: enough to see what "it" is.
LONGEST_EARLIER_ANSWER = 600

_NOT_FOUND = re.compile(r"NOT[_ ]FOUND", re.IGNORECASE)
# The word as it was asked for, as a sentence of its own at the beginning or at the end; behind it may stand reasons.
_NOT_FOUND_ALONE = re.compile(r"\A\W*NOT[_ ]FOUND(?=\W*(?:\Z|[.。!！:：,，;；\n]))|(?<![^\W])NOT_FOUND\W*\Z")
_NOT_FOUND_WORDS = re.compile(
    r"\b(?:not (?:found |mentioned |covered |contained |stated |specified |provided )?(?:in|by) the (?:notes|passages)|"
    r"(?:passages|notes) (?:do not|don't|does not) (?:contain|mention|say|provide|include|cover|specify))\b|"
    r"(?:笔记|片段|资料)(?:里|中)?(?:并?没有|并?未|不包含|找不到)",
    re.IGNORECASE,
)
# What a model says to itself. Where its beginning is missing, the server put that at the end of the prompt.
_NAMES = r"(?:\w{1,20}:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|scratchpad)"
_THINKING = re.compile(rf"\A(?:\s*<(?P<name>{_NAMES})>.*?(?:</(?P=name)>|\Z))+", re.DOTALL | re.IGNORECASE)
_THINKING_END = re.compile(rf"\A(?:(?!<{_NAMES}>).)*</{_NAMES}>", re.DOTALL | re.IGNORECASE)
_CHANNELS = re.compile(
    r"\A\s*(?:<\|start\|>assistant)?<\|channel\|>(?!final).*?(?:<\|channel\|>final<\|message\|>|\Z)", re.DOTALL
)


def answer_messages(
    question: str,
    evidence: Sequence[Document],
    earlier: Sequence[EarlierTurn],
    language: Language,
    *,
    prompts: Prompts,
    last_answer: str = "",
    complaint: str = "",
) -> list[BaseMessage]:
    """Return what the chat model is asked.

    Args:
        question: The question as it was asked.
        evidence: The passages, the first with number 1.
        earlier: The turns that it refers to.
        language: The question's language.
        prompts: The prompts.
        last_answer: The model's last answer, if it could not be used.
        complaint: Why it couldn't.
    """
    conversation = ""
    if earlier:
        conversation = "\n" + prompts.fill("conversation", language, turns=conversation_lines(earlier)) + "\n"
    messages: list[BaseMessage] = [
        SystemMessage(prompts.fill("answer_system", language)),
        HumanMessage(
            prompts.fill(
                "answer",
                language,
                passages=format_passages(evidence),
                conversation=conversation,
                question=harmless(question),
            )
        ),
    ]
    if complaint:
        numbers = ", ".join(f"[{number}]" for number in range(1, len(evidence) + 1))
        messages += [
            AIMessage(harmless(last_answer)),
            HumanMessage(
                prompts.fill(
                    "complaint", language, reason=harmless(complaint), numbers=numbers, question=harmless(question)
                )
            ),
        ]
    return messages


def conversation_lines(earlier: Sequence[EarlierTurn]) -> str:
    """Return earlier turns for a prompt, oldest first."""
    return "\n".join(
        f"- {harmless(turn['question'])}\n  {harmless(turn['answer'][:LONGEST_EARLIER_ANSWER])}" for turn in earlier
    )


def text_of(answer: object) -> str:
    """Return the text of what a chat model gave; empty if it gave none."""
    text = str(answer.text) if isinstance(answer, BaseMessage) else answer if isinstance(answer, str) else ""
    return without_thinking(text).strip()


def without_thinking(text: str) -> str:
    """Return an answer, which may not be complete, without what a model says to itself before it."""
    text = _CHANNELS.sub("", text)
    text = _THINKING.sub("", text)
    if "</" in text:
        text = _THINKING_END.sub("", text)
    return text.lstrip()


def says_not_found(text: str) -> bool:
    """Say whether a model's answer says that the passages hold no answer.

    Middling models put words around the one that they were asked for, or say it in their own; an answer with citations
    is an answer all the same, unless that word is a sentence of it.
    """
    bare = keep_marks(text, ())[0]
    if _NOT_FOUND_ALONE.search(bare):
        return True
    return not find_marks(text) and bool(_NOT_FOUND.search(bare) or _NOT_FOUND_WORDS.search(bare))
