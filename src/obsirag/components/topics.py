"""A chat model that says where new topics begin, as far as what it says can be read."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from obsirag.catalogue import ModelAnswers, chat_model_id, digest
from obsirag.errors import ObsiragError, reason_of
from obsirag.text.characters import CJK

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["ModelTopics"]

_log = logging.getLogger(__name__)

MOST_FAILURES = 3
"""Calls that fail one after the other before the model isn't asked any more: every note would wait for it in vain."""
_CJK = re.compile(f"[{CJK}]")
_LIST = re.compile(r"\[[\s\d,，、]*\]")
_NUMBER = re.compile(r"\d{1,9}")


class _Starts(BaseModel):
    """The numbers of the sentences with which a new topic begins."""

    starts: list[int] = Field(max_length=30, description="Numbers of sentences, rising.")


class ModelTopics:
    """Asks a chat model where topics begin, and never the same twice.

    It is asked for JSON by schema, and plainly where it doesn't know that or gave something else.

    Args:
        chat_model: The model.
        folder: Where answers are kept.
    """

    def __init__(self, chat_model: BaseChatModel, folder: Path) -> None:
        self._model = chat_model
        self._answers = ModelAnswers(folder)
        self._failures = 0
        self._knows_schema = True

    def find(self, parts: Sequence[str]) -> list[int] | None:
        """Return the indexes of the parts with which a new topic begins, as the model says; None if it didn't.

        Whether they part the text well is for the splitter to judge.
        """
        messages = _messages(parts)
        key = digest("topics", chat_model_id(self._model), *(message.text for message in messages))
        numbers = self._known(key)
        if numbers is None:
            numbers = self._ask(messages)
            if numbers is not None:
                self._keep(key, numbers)
        return None if numbers is None else [number - 1 for number in numbers]

    def _ask(self, messages: list[BaseMessage]) -> list[int] | None:
        if self._failures >= MOST_FAILURES:
            return None
        if self._knows_schema:
            try:
                model = self._model.with_structured_output(_Starts, method="json_schema", include_raw=True)
                numbers = _read(model.invoke(messages))
            except Exception as error:  # noqa: BLE001 - a model is somebody else's code and may raise anything
                # Whether it is the schema or the model shows where nothing but text is asked for.
                _log.info("a chat model was asked for JSON by schema in vain (%s)", reason_of(error))
                self._knows_schema = False
            else:
                self._failures = 0
                if numbers is not None:
                    return numbers
        try:
            numbers = _read(self._model.invoke(messages))
        except Exception as error:  # noqa: BLE001 - as above
            self._failures += 1
            self._knows_schema = True
            given_up = ", and isn't asked any more" if self._failures >= MOST_FAILURES else ""
            _log.warning("the chat model cannot say where topics begin (%s)%s", reason_of(error), given_up)
            return None
        self._failures = 0
        return numbers

    def _known(self, key: str) -> list[int] | None:
        try:
            found = self._answers.get([key]).get(key)
            return None if found is None else [int(each) for each in json.loads(found)]
        except (ObsiragError, ValueError, TypeError) as error:
            _log.info("kept answers cannot be read (%s)", reason_of(error))
            return None

    def _keep(self, key: str, numbers: list[int]) -> None:
        try:
            self._answers.put({key: json.dumps(numbers)})
        except ObsiragError as error:
            _log.info("an answer cannot be kept (%s)", reason_of(error))


def _messages(parts: Sequence[str]) -> list[BaseMessage]:
    text = "\n".join(f"[{number}] {part}" for number, part in enumerate(parts, 1))
    language = "zh" if len(_CJK.findall(text)) * 4 > len(text) else "en"
    system = files("obsirag.components.topic_prompts").joinpath(f"system.{language}.md").read_text("utf-8")
    return [SystemMessage(system.strip()), HumanMessage(text)]


def _read(given: Any) -> list[int] | None:
    """Return the numbers of an answer, whatever it came as; None if it has none."""
    if isinstance(given, dict):
        parsed = given.get("parsed")
        if isinstance(parsed, _Starts):
            return parsed.starts
        given = given.get("raw")
    if isinstance(given, _Starts):
        return given.starts
    text = given.text if isinstance(given, BaseMessage) else given
    if not isinstance(text, str):
        return None
    # The last one: what a model says to itself stands before its answer.
    lists = _LIST.findall(text)
    return [int(number) for number in _NUMBER.findall(lists[-1])] if lists else None
