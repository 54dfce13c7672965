"""The options of each room, with their defaults."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from obsirag.config.model import ConfigModel, Count, Flag, Seconds, Share, Size

__all__ = [
    "CacheOptions",
    "IndexingOptions",
    "PreferenceOptions",
    "RankingWeights",
    "RerankOptions",
    "RetrievalOptions",
    "VaultOptions",
]

Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
Cosine = Annotated[float, Field(strict=True, ge=-1, le=1)]


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
    load_seconds: Seconds = Field(default=120.0, description="How long a loader may take for one file.")


class RankingWeights(ConfigModel):
    """How much each ranking counts in fusion; a ranking of weight 0 is not asked."""

    vector: Weight = 1.0
    keyword: Weight = 1.0

    @model_validator(mode="after")
    def _check_any(self) -> Self:
        if self.vector == self.keyword == 0:
            raise ValueError("at least one weight must be over 0")
        return self


class RerankOptions(ConfigModel):
    """What the reranker gets to see, where there is one."""

    candidates: Size = Field(default=10, description="Number of fused documents that it puts in order.")
    min_candidates: Size = Field(default=3, description="With fewer documents it is not asked.")
    max_characters: Size = Field(default=512, description="How much it reads of each chunk.")
    timeout: Seconds = Field(default=30.0, description="Seconds to wait for it; then the fused order stays.")


class CacheOptions(ConfigModel):
    """Which hits are kept for queries that are asked again."""

    size: Annotated[Count, Field(le=100_000)] = Field(default=0, description="Number of queries; 0 for no cache.")
    similarity: Cosine | None = Field(
        default=None, description="The cosine over which another query's hits are used; not at all if not set."
    )


class PreferenceOptions(ConfigModel):
    """How people's marks on answers and sources move later hits; without marks, nothing moves."""

    enabled: Flag = Field(default=True, description="Whether marks move anything.")
    max_shift: Annotated[Count, Field(le=100)] = Field(
        default=4, description="Most places that marks move a note up or down; less than `limit` keeps the best one."
    )
    half_life: Annotated[float, Field(strict=True, gt=0, le=100_000)] = Field(
        default=180.0, description="Days after which a mark counts half."
    )
    likeness: Share = Field(
        default=0.5, description="Share of common words from which on a mark on one question counts for another."
    )
    similarity: Cosine | None = Field(
        default=None,
        description="The cosine of two questions' vectors from which on it does, too; not compared if not set.",
    )


class RetrievalOptions(ConfigModel):
    """How hits are searched and fused."""

    limit: Size = Field(default=5, description="Number of documents (notes) to return.")
    candidates: Size = Field(default=100, description="Number of chunks to take from each ranking.")
    timeout: Seconds = Field(default=30.0, description="Seconds to wait for each search of a question.")
    chunks_per_document: Size = Field(default=3, description="How many of its best chunks stand for a document.")
    fusion: Literal["scores", "ranks"] = Field(
        default="scores",
        description="Whether rankings are fused by their scores, or by reciprocal ranks of their documents.",
    )
    rrf_k: Size = Field(default=60, description="The constant k of Reciprocal Rank Fusion, for fusion by ranks.")
    weights: RankingWeights = RankingWeights()
    linked_notes: Count = Field(
        default=0, description="Number of notes to offer beside the hits that are linked with them."
    )
    rerank: RerankOptions = RerankOptions()
    merge_duplicates: Flag = Field(default=False, description="Whether chunks that say nearly the same become one.")
    duplicate_threshold: Cosine | None = Field(
        default=None, description="Cosine of near-duplicates; as the embeddings declare it, else .95, if not set."
    )
    parent_budget: Count = Field(
        default=0, description="Characters up to which chunks are replaced by their sections; 0 for never."
    )
    cache: CacheOptions = CacheOptions()
    preferences: PreferenceOptions = PreferenceOptions()

    def pool(self, *, reranks: bool) -> int:
        """Return the number of documents to choose from: one that is merged leaves its place to another.

        Args:
            reranks: Whether there is a reranker.
        """
        merged = self.limit * (2 if self.merge_duplicates else 1)
        return max(merged, self.rerank.candidates) if reranks else merged


class IndexingOptions(ConfigModel):
    """How the index is written."""

    batch_size: Size = Field(default=256, description="Number of texts to embed and write at a time.")
    concurrency: Annotated[Size, Field(le=64)] | None = Field(
        default=None,
        description="Calls to the embedding model at a time, of each worker; as the embeddings declare it, else 1.",
    )
    calls_per_second: Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Most calls to the embedding model a second; no limit if not set."
    )
    engine: Literal["local", "ray"] = Field(
        default="local", description="Whether notes are read, cut and embedded in this process or by Ray workers."
    )
    workers: Annotated[Size, Field(le=10_000)] = Field(
        default=2, description="Number of Ray workers, each a process with its own parts."
    )
    address: Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)] | None = Field(
        default=None,
        description="The Ray cluster, such as `auto` or `head.example:6379`; workers on this machine if not set.",
    )

    @property
    def processes(self) -> int:
        """Number of processes that make and embed notes."""
        return self.workers if self.engine == "ray" else 1
