"""What LangChain asks of a splitter of documents, for splitters that cut one note at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

__all__ = ["DocumentSplitter", "check_text"]

_PART_FIELDS = ("page", "page_number", "row", "seq_num", "element_id", "chunk_id", "start_index")
"""By these, loaders and splitters of LangChain tell which part of its source a document is."""


class DocumentSplitter(TextSplitter):
    """Splits many texts or documents; what differs is how one is cut.

    No two chunks have the same id, which a store would refuse or take for one, neither in one call nor, if they come
    from different parts of a source, in two. No two share a list. The texts and metadata given stay as they are.
    """

    @abstractmethod
    def _cut(self, text: str, metadata: dict[Any, Any]) -> list[Document]:
        """Return the chunks of a note's text, with ids that differ."""

    def create_documents(
        self, texts: Iterable[str], metadatas: Iterable[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Return the chunks of each text as documents.

        Args:
            texts: The texts of notes.
            metadatas: Their metadata, one for each text; ``source`` is the path.

        Raises:
            TypeError: If a single text is given, or something that is no text.
            ValueError: If there are not as many metadata as texts.
        """
        if isinstance(texts, str):
            raise TypeError("create_documents takes a list of texts: write [text] for a single one")
        given = list(texts)
        # Nothing at all stands for no metadata, as in LangChain's own splitters.
        fields = list(metadatas or ()) or [{} for _ in given]
        if len(fields) != len(given):
            raise ValueError(f"{len(given)} texts were given with {len(fields)} metadata: give one for each, or none")
        found: list[Document] = []
        seen: dict[str, int] = {}
        for text, metadata in zip(given, fields, strict=True):
            check_text(text)
            chunks = self._cut(text, metadata)
            _tell_apart(chunks, _part(metadata), seen)
            found += chunks
        return found

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Return the chunks of each document, with its metadata; ``source`` is the path.

        Raises:
            TypeError: If a single document is given.
        """
        if isinstance(documents, Document):
            raise TypeError("split_documents takes a list of documents: write [document] for a single one")
        given = list(documents)
        return self.create_documents(
            [document.page_content for document in given], [document.metadata for document in given]
        )

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:  # noqa: ARG002
        """Return the same as ``split_documents``."""
        return self.split_documents(documents)


def check_text(text: object) -> None:
    """Check what is to be split.

    Raises:
        TypeError: If it is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text to split must be a string, not {type(text).__name__}")


def _part(metadata: Mapping[Any, Any]) -> str:
    """Return which part of its source a document is; empty if it is all of it."""
    given = [f"{name}={metadata[name]}" for name in _PART_FIELDS if metadata.get(name) is not None]
    return "\0".join(given)


def _tell_apart(chunks: Sequence[Document], part: str, seen: dict[str, int]) -> None:
    """Give chunks new ids where those of another text may be the same.

    Args:
        chunks: The chunks of one text.
        part: Which part of its source the text is.
        seen: How often each id came up so far; filled in.
    """
    ids = [chunk.metadata["chunk_id"] for chunk in chunks]
    if not part and seen.keys().isdisjoint(ids):
        seen.update(dict.fromkeys(ids, 1))
        return
    renamed: dict[str, str] = {}
    for chunk in chunks:
        own = str(chunk.metadata["chunk_id"])
        identity = _digest(f"{own}\0{part}") if part else own
        count = seen.get(identity, 0)
        seen[identity] = count + 1
        renamed[own] = _digest(f"{identity}\0{count}") if count else identity
    for chunk in chunks:
        fields = chunk.metadata
        chunk.id = fields["chunk_id"] = renamed[fields["chunk_id"]]
        fields["linked_chunk_ids"] = [renamed[other] for other in fields["linked_chunk_ids"]]


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
