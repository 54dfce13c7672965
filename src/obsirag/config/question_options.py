"""The options of the question graph, with their defaults."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from obsirag.config.model import ConfigModel, Count, Flag, Seconds, Share, Size

__all__ = [
    "AnswerOptions",
    "AspectOptions",
    "BudgetOptions",
    "ConversationOptions",
    "GradingOptions",
    "IntentMessages",
    "IntentOptions",
    "ReviewOptions",
]

Words = Annotated[str, Field(strict=True, max_length=2000)]


class IntentMessages(ConfigModel):
    """What is said where the notes aren't asked, in the place of obsirag's own words; those if empty."""

    off_topic: Words = Field(default="", description="Said to a question that has nothing to do with the notes.")
    unsafe: Words = Field(default="", description="Said to an attempt to get round the rules.")
    chitchat: Words = Field(default="", description="Said to small talk where no chat model says something.")
    high_risk: Words = Field(default="", description="Stands before the answer to a request for a risky action.")


class IntentOptions(ConfigModel):
    """How it is told what a question is after, before anything is searched for."""

    enabled: Flag | None = Field(default=None, description="Whether anybody looks at all; as `preset` says if not set.")
    ask_model: Flag = Field(
        default=False, description="Whether the chat model is asked where no rule is sure; a call for most questions."
    )
    domain: Words = Field(default="", description="What the notes are about, in words.")
    min_confidence: Share = Field(
        default=0.7, description="How sure the chat model has to be of anything but a question for the notes."
    )
    messages: IntentMessages = IntentMessages()


class ReviewOptions(ConfigModel):
    """Which questions wait for a person before they are answered; the graph needs a checkpointer then."""

    # YAML reads a bare `off` as false.
    mode: Annotated[
        Literal["off", "high_risk", "always"] | None,
        BeforeValidator(lambda mode: "off" if mode is False else mode),
    ] = Field(
        default=None,
        description="None; those about permissions, security and running systems; or all. As `preset` says if not set.",
    )
    rejected: Words = Field(default="", description="Said after a rejection that says nothing itself.")

    @property
    def is_on(self) -> bool:
        """Whether any question may wait, by what is set here; a preset may set it where nothing is."""
        return self.mode in ("high_risk", "always")


class ConversationOptions(ConfigModel):
    """What becomes of a question that refers to earlier ones."""

    rewrite: Flag | None = Field(
        default=None,
        description="Whether the chat model words a follow-up so that it stands alone; as `preset` says if not set.",
    )
    max_turns: Annotated[Count, Field(le=100)] = Field(
        default=4, description="Number of earlier turns that a follow-up is read with; what was before is summed up."
    )


class AspectOptions(ConfigModel):
    """How a question about several things is taken apart."""

    enabled: Flag | None = Field(
        default=None, description="Whether it is searched for and answered part by part; as `preset` says if not set."
    )
    most: Annotated[Size, Field(le=20)] = Field(default=4, description="Most parts of a question.")


class GradingOptions(ConfigModel):
    """How it is judged whether what was found can answer the question, and what is done if not."""

    enabled: Flag | None = Field(default=None, description="Whether it is judged at all; as `preset` says if not set.")
    threshold: Share = Field(default=0.7, description="Score from which on the question is answered at once.")
    relevant: Share = Field(default=0.5, description="Score under which the hits are dropped.")
    first: Size = Field(default=3, description="Number of notes that are judged first; the others only if these do.")
    max_characters: Size = Field(default=800, description="How much is read of each note's chunks.")
    max_rewrites: Annotated[Count, Field(le=20)] = Field(
        default=2, description="How often the question is put in other words and searched for again."
    )

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.relevant > self.threshold:
            raise ValueError(f"relevant ({self.relevant}) must not be over threshold ({self.threshold})")
        return self


class AnswerOptions(ConfigModel):
    """How answers are made."""

    max_regenerations: Count = Field(default=2, description="How often an answer with a bad citation is made again.")
    max_passage_tokens: Size = Field(
        default=6000, description="What the passages may take of a prompt, in estimated tokens."
    )
    check_content: Flag = Field(
        default=True,
        description="Whether what an answer says is looked for in the passages that it cites, by numbers and words.",
    )
    drop_unknown_links: Flag = Field(
        default=False,
        description="Whether images, links and HTML tags are taken out of answers whose address no passage holds.",
    )


class BudgetOptions(ConfigModel):
    """What one question may cost."""

    model_calls: Count = Field(default=32, description="Most calls of the chat model.")
    tokens: Size = Field(
        default=100_000, description="Most tokens, read and written; no call is made that would read more."
    )
    call_timeout: Seconds = Field(default=300.0, description="Seconds to wait for one call of the chat model.")
