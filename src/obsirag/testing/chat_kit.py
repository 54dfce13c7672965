"""How the checks of chat models ask them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from obsirag.testing.checks import expect
from obsirag.testing.conformance import Conformance

__all__ = ["ChatKit", "Fruit", "text_of"]


class Fruit(BaseModel):
    """A fruit."""

    name: str = Field(description="Its name, one word.")
    is_sweet: bool = Field(description="Whether it is sweet.")


class ChatKit(Conformance):
    """Asks a chat model, and makes sure that what comes is an answer."""

    kind: ClassVar[str] = "chat_model"
    prompt: ClassVar[str] = "Count from one to ten in English words, separated by commas."
    """A request that has an answer of several words, whatever it is."""
    structured_prompt: ClassVar[str] = (
        'Name a fruit. Answer with JSON of the form {"name": "…", "is_sweet": true} and nothing else.'
    )
    """A request that has an answer of the form of :class:`Fruit`."""

    def make(self) -> BaseChatModel:
        """Return the chat model."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def part(self) -> Any:
        """The chat model."""
        return self.make()

    def reach(self) -> None:
        """Ask something."""
        self.part.invoke(self.prompt)

    def messages(self) -> list[BaseMessage]:
        """Return what is asked, as obsirag does: instructions, then data and question."""
        return [SystemMessage("You answer in short."), HumanMessage(self.prompt)]


def text_of(came: Any, told: str = "an answer with text") -> str:
    """Return the text of an answer, of which it is known that there is some."""
    text = came.text if isinstance(came, BaseMessage) else came
    expect(isinstance(text, str), told, f"{type(came).__name__}: {str(came)[:80]}")
    expect(str(text).strip(), told, "nothing but blanks")
    return str(text)
