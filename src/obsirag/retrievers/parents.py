"""Small chunks found, larger sections given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from langchain_core.documents import Document

from obsirag.catalogue import Catalogue, parent_documents, readable_access_keys
from obsirag.records import labels_of, may_read, permissions_from_json
from obsirag.retrievers.fusion import chunk_id_of

__all__ = ["ParentExpansion"]

_OF_THE_BEST = (
    "score", "vector_score", "keyword_score", "fusion_score", "rerank_score", "matched_chunk_ids", "linked_from",
)  # fmt: skip
_OF_ALL = ("merged_sources", "merged_chunk_ids", "merged_scores", "aspects")


@dataclass(frozen=True, slots=True)
class ParentExpansion:
    """Replaces chunks by the sections they belong to, as far as a budget of characters lasts.

    Args:
        catalogue: The catalogue, which holds the sections.
        budget: How many characters all texts together may have. Chunks that have more by themselves stay chunks.
    """

    catalogue: Catalogue
    budget: int

    def expand(self, chunks: Sequence[Document], *, labels: Collection[str] | None = ()) -> list[Document]:
        """Return chunks with sections in the place of those that belong to them, each at its best chunk's place.

        A section takes its scores from its best chunk; ``metadata["expanded_chunk_ids"]`` lists the chunks that it
        replaces, best first. A section that doesn't fit what is left of the budget stays as chunks, and so does one
        that the caller may not read or that no longer holds the chunk.

        Args:
            chunks: What was found, best first.
            labels: The caller's labels, or one as a string.
        """
        members: dict[str, list[Document]] = {}
        for chunk in chunks:
            members.setdefault(str(chunk.metadata.get("parent_id") or ""), []).append(chunk)
        members.pop("", None)
        parents = self._readable([*members], labels)
        used = sum(len(chunk.page_content) for chunk in chunks)
        replaced: dict[str, Document | None] = {}
        for name, group in members.items():  # in the order of their best chunks
            parent = parents.get(name)
            if parent is None or not all(_holds(parent, chunk) for chunk in group):
                continue
            growth = len(parent.page_content) - sum(len(chunk.page_content) for chunk in group)
            if used + growth <= self.budget:
                used += growth
                first, *others = map(chunk_id_of, group)
                replaced |= {first: _section(parent, group), **dict.fromkeys(others)}
        expanded = [replaced.get(chunk_id_of(chunk), chunk) for chunk in chunks]
        return [each for each in expanded if each is not None]

    def _readable(self, names: Collection[str], labels: Collection[str] | None) -> dict[str, Document]:
        if not names:
            return {}
        held = labels_of(labels)
        with self.catalogue.reading() as connection:
            parents = parent_documents(connection, names, readable_access_keys(connection, held))
        # The catalogue's access keys decide; what the section itself says is asked too, as a second lock.
        return {
            name: parent
            for name, parent in parents.items()
            if may_read(permissions_from_json(parent.metadata.get("permissions")), held)
        }


def _holds(parent: Document, chunk: Document) -> bool:
    """Say whether a section is of the same note and holds a chunk's own text: a note may have changed meanwhile."""
    if parent.metadata.get("source") != chunk.metadata.get("source"):
        return False
    metadata, text = chunk.metadata, chunk.page_content
    before = len(str(metadata.get("context_before") or ""))
    after = len(str(metadata.get("context_after") or ""))
    overlap = metadata.get("overlap")
    start = before + (overlap if isinstance(overlap, int) and 0 <= overlap <= len(text) else 0)
    return text[start : len(text) - after].strip() in parent.page_content


def _section(parent: Document, group: Sequence[Document]) -> Document:
    best = group[0].metadata
    metadata = {**parent.metadata, **{name: best[name] for name in _OF_THE_BEST if name in best}}
    for name in _OF_ALL:
        if any(name in chunk.metadata for chunk in group):
            values = [value for chunk in group for value in chunk.metadata.get(name) or ()]
            metadata[name] = values if name == "merged_scores" else [*dict.fromkeys(values)]
    metadata["expanded_chunk_ids"] = [chunk_id_of(chunk) for chunk in group]
    return Document(id=parent.id, page_content=parent.page_content, metadata=metadata)
