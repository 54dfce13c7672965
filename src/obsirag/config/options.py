"""The options of each room, with their defaults."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from obsirag.config.model import ConfigModel, Count, Flag, Size

__all__ = [
    "AnswerOptions",
    "IndexingOptions",
    "RankingWeights",
    "RetrievalOptions",
    "SplitterOptions",
    "VaultOptions",
]

Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]


class VaultOptions(ConfigModel):
    """How notes are found and rendered."""

    ignore: tuple[str, ...] = Field(
        default=(), description="What to leave out, in gitignore syntax; hidden folders always are."
    )
    follow_symlinks: Flag = Field(
        default=False, description="Whether files outside count that symbolic links in the vault lead to."
    )
    embed_heading: Literal["keep", "drop"] = Field(
        default="keep", description="Whether a heading embed keeps its heading line, as Obsidian shows it."
    )
    comments: Literal["drop", "keep"] = Field(default="drop", description="What becomes of %%comments%%.")
    max_embed_depth: Annotated[Count, Field(le=50)] = Field(
        default=10, description="How deep embeds inside embeds are filled in."
    )
    max_rendered_chars: Size = Field(default=2_000_000, description="Limit of a note's rendered text, in characters.")


class SplitterOptions(ConfigModel):
    """How large the built-in splitter's chunks are."""

    chunk_size: Size = Field(default=1000, description="What a chunk should not pass.")
    min_chunk_size: Size | None = Field(default=None, description="Shorter neighbours are packed; half if not set.")
    chunk_overlap: Count = Field(default=50, description="Text taken over from the chunk before; kept below half.")
    max_chunk_size: Size | None = Field(default=None, description="What no chunk ever passes; double if not set.")
    parent_chunk_size: Size | None = Field(
        default=None, description="How large the sections around chunks are; four times chunk_size if not set."
    )
    unit: Literal["characters", "words", "tokens"] = Field(
        default="characters",
        description="What sizes are counted in; tokens are estimated, rather too many.",
    )
    heading_separator: str = Field(default="-", description="What stands between the headings in `hierarchy_path`.")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.min_chunk_size is not None and self.min_chunk_size > self.chunk_size:
            raise ValueError(f"min_chunk_size ({self.min_chunk_size}) is over chunk_size ({self.chunk_size})")
        if self.max_chunk_size is not None and self.max_chunk_size < self.chunk_size:
            raise ValueError(f"max_chunk_size ({self.max_chunk_size}) is under chunk_size ({self.chunk_size})")
        return self


class RankingWeights(ConfigModel):
    """How much each ranking counts in fusion; a ranking of weight 0 is not asked."""

    vector: Weight = 1.0
    keyword: Weight = 1.0

    @model_validator(mode="after")
    def _check_any(self) -> Self:
        if self.vector == self.keyword == 0:
            raise ValueError("at least one weight must be over 0")
        return self


class RetrievalOptions(ConfigModel):
    """How hits are searched and fused."""

    limit: Size = Field(default=5, description="Number of documents (notes) to return.")
    candidates: Size = Field(default=50, description="Number of chunks to take from each ranking.")
    chunks_per_document: Size = Field(default=3, description="How many of its best chunks stand for a document.")
    rrf_k: Size = Field(default=60, description="The constant k of Reciprocal Rank Fusion.")
    weights: RankingWeights = RankingWeights()


class IndexingOptions(ConfigModel):
    """How the index is written."""

    batch_size: Size = Field(default=256, description="Number of texts to embed and write at a time.")


class AnswerOptions(ConfigModel):
    """How answers are made."""

    max_regenerations: Count = Field(default=2, description="How often an answer with a bad citation is made again.")
