"""Splitting with any splitter, without mixing what different people may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from obsirag.records import Permissions, RenderedNote, permissions_to_json
from obsirag.splitters.own_metadata import own_metadata
from obsirag.splitters.regions import labels_of

__all__ = ["split_note", "split_plainly"]


def split_note(rendered: RenderedNote, splitter: TextSplitter) -> list[Document]:
    """Cut a note: by the splitter's own ``split_note`` where it has one, else plainly."""
    own: Callable[[RenderedNote], list[Document]] | None = getattr(splitter, "split_note", None)
    return own(rendered) if own else split_plainly(rendered, splitter)


def split_plainly(rendered: RenderedNote, splitter: TextSplitter) -> list[Document]:
    """Cut a note with any LangChain splitter, each stretch under the same labels by itself.

    Returns:
        Chunks with the note's metadata and the lines of the stretch they came from: such a splitter doesn't say where
        in it they stand.
    """
    own = own_metadata(rendered.metadata, drop=frozenset())
    documents: list[Document] = []
    for start, end, permissions in _stretches(rendered):
        metadata = {
            **own,
            "source": rendered.path,
            "permissions": permissions_to_json(permissions),
            "start_line": rendered.locate(start).line,
            "end_line": rendered.locate(max(start, end - 1)).line,
        }
        texts = splitter.split_text(rendered.text[start:end])
        documents += [Document(text, metadata=dict(metadata)) for text in texts if text.strip()]
    return documents


def _stretches(rendered: RenderedNote) -> Iterator[tuple[int, int, Permissions]]:
    """Yield the longest stretches of text under the same permissions."""
    labels = labels_of(rendered)
    for start, end in pairwise([0, *labels.borders, len(rendered.text)]):
        yield start, end, labels.at(start)
