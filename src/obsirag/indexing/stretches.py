"""Splitting with any splitter, without mixing what different people may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from obsirag.records import Permissions, RenderedNote, permissions_to_json

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
    documents: list[Document] = []
    for start, end, permissions in _stretches(rendered):
        metadata = {
            **rendered.metadata,
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
    borders = sorted({0, len(rendered.text), *(edge for embed in rendered.embeds for edge in embed[:2])})
    begun: tuple[int, int, Permissions] | None = None
    for start, end in pairwise(borders):
        permissions = _permissions_at(rendered, start)
        if begun is not None and begun[2] == permissions:
            begun = (begun[0], end, permissions)
            continue
        if begun is not None:
            yield begun
        begun = (start, end, permissions)
    if begun is not None:
        yield begun


def _permissions_at(rendered: RenderedNote, offset: int) -> Permissions:
    """Return the permissions of the innermost embed around ``offset``, else the note's own."""
    around = [embed for embed in rendered.embeds if embed.start <= offset < embed.end]
    return around[-1].permissions if around else rendered.permissions
