"""Drafted questions in people's words, by a chat model, as far as what it writes can be used."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from langchain_core.messages import HumanMessage

from obsirag.errors import reason_of
from obsirag.evaluation.questions import Question
from obsirag.graphs.language import language_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["reword"]

_log = logging.getLogger(__name__)

LONGEST = 200
"""Characters of a question."""
_CHECK = "drafted by rule, worded by a chat model: check that it still asks for this, with gold and key points"
_PROMPTS = {
    "en": """A note says:

<note>
{fact}
</note>

This question asks for it: {question}

Word the question as a colleague would who doesn't know the note: in everyday words, without its title, in English.
Answer with the one question and nothing else.""",
    "zh": """笔记里写着：

<note>
{fact}
</note>

下面的问题问的就是它：{question}

请换成一位没读过这条笔记的同事会用的问法：用日常说法，不提笔记标题，用中文。
只写这一个问题，不要写别的。""",
}


def reword(questions: Iterable[Question], chat_model: BaseChatModel) -> Iterator[Question]:
    """Yield each question in the words of a chat model, or as it was where those cannot be used.

    Args:
        questions: Drafted questions.
        chat_model: The chat model; if it fails, it isn't asked again.
    """
    works = True
    for question in questions:
        if not (works and question.key_points):
            yield question
            continue
        prompt = _PROMPTS[question.lang].format(fact="\n".join(question.key_points), question=question.question)
        try:
            said = chat_model.invoke([HumanMessage(prompt)]).text
        except Exception as error:  # noqa: BLE001 - a model is somebody else's code and may raise anything
            _log.warning(
                "the chat model failed (%s): the other questions stay in the words of the notes", reason_of(error)
            )
            works = False
            yield question
            continue
        worded = said.strip().strip("\"“”'").strip()
        yield replace(question, question=worded, notes=_CHECK) if _is_usable(worded, question) else question


def _is_usable(worded: str, question: Question) -> bool:
    return (
        worded.endswith(("?", "？"))
        and len(worded) <= LONGEST
        and len(worded.splitlines()) == 1
        and worded != question.question
        and language_of(worded) == question.lang
        # It asks, and doesn't tell.
        and not any(point.casefold() in worded.casefold() for point in question.key_points)
    )
