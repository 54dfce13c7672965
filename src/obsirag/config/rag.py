"""The whole configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, ValidationInfo, field_validator

from obsirag.config.cleaning import CleaningOptions
from obsirag.config.model import ConfigModel, Flag
from obsirag.config.options import IndexingOptions, RetrievalOptions, VaultOptions
from obsirag.config.part import Part
from obsirag.config.paths import check_path, complete_path
from obsirag.config.question_options import (
    AnswerOptions,
    AspectOptions,
    BudgetOptions,
    ConversationOptions,
    GradingOptions,
    IntentOptions,
    ReviewOptions,
)
from obsirag.config.splitting import SplitterOptions
from obsirag.config.terms import TermOptions
from obsirag.config.web_search import WebSearchOptions

__all__ = ["RagConfig"]


def _options_or_part(value: Any) -> str:
    named = isinstance(value, str | Part) or (isinstance(value, dict) and "name" in value)
    return "part" if named else "options"


class RagConfig(ConfigModel):
    """Everything that can be set; ``RagConfig(vault=…, index=…)`` alone is complete, offline and needs no key.

    Paths are taken as written, with ``~`` for the home folder; in a file they are relative to that file.

    Raises:
        ConfigError: If a key is unknown or a value is wrong.
    """

    vault: Path = Field(description="The folder with the notes.")
    index: Path = Field(description="The folder of the index; made if missing.")
    vault_options: VaultOptions = VaultOptions()
    cleaning: CleaningOptions = CleaningOptions()
    splitter: Annotated[
        Annotated[SplitterOptions, Tag("options")] | Annotated[Part, Tag("part")],
        Discriminator(_options_or_part),
    ] = Field(default=SplitterOptions(), description="Sizes for the built-in splitter, or another splitter.")
    embeddings: Part | None = Field(
        default=None, description="`local` where its extra is installed, else `hashing`, if not set."
    )
    chat_model: Part | None = Field(default=None, description="Without one, answers are quoted from the notes.")
    vector_store: Part | None = Field(
        default=None, description="`chroma` where its extra is installed, else `memory`, if not set."
    )
    reranker: Part | None = Field(default=None, description="Puts the fused hits into a better order.")
    search_provider: Part | None = Field(default=None, description="Searches the web; without one nobody does.")
    retrieval: RetrievalOptions = RetrievalOptions()
    web_search: WebSearchOptions = WebSearchOptions()
    indexing: IndexingOptions = IndexingOptions()
    preset: Literal["naive", "corrective", "aspects", "enterprise"] = Field(
        default="corrective",
        description="Which steps a question goes through where their own settings don't say: `naive` searches once and "
        "answers; `corrective` rewords follow-ups, judges what was found, and searches again if that isn't enough; "
        "`aspects` does that for each part of a question; `enterprise` is `corrective` that also looks what a question "
        "is after, and lets a person see what a high-risk one would be answered from.",
    )
    intent: IntentOptions = IntentOptions()
    conversation: ConversationOptions = ConversationOptions()
    aspects: AspectOptions = AspectOptions()
    terms: TermOptions = TermOptions()
    grading: GradingOptions = GradingOptions()
    review: ReviewOptions = ReviewOptions()
    answers: AnswerOptions = AnswerOptions()
    budget: BudgetOptions = BudgetOptions()
    prompts: Path | None = Field(
        default=None, description="A folder with prompts of one's own, each in the place of the one of its name."
    )
    offline: Flag = Field(default=False, description="Refuse parts that would call another machine.")

    @field_validator("vault", "index", "prompts", mode="before")
    @classmethod
    def _check_path(cls, path: Any) -> Any:
        return check_path(path, "folder")

    @field_validator("vault", "index", "prompts")
    @classmethod
    def _complete_path(cls, path: Path | None, info: ValidationInfo) -> Path | None:
        return None if path is None else complete_path(path, info)
