"""A splitter that cuts each kind of note by its own settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.documents import Document

from obsirag.records import RenderedNote
from obsirag.splitters.document_splitting import DocumentSplitter
from obsirag.splitters.rules import SplitterRule
from obsirag.splitters.splitter import ObsidianSplitter

__all__ = ["RuleSplitter"]


class RuleSplitter(DocumentSplitter):
    """Cuts a note by the first rule that matches it, by the default splitter if none does.

    Args:
        default: What cuts notes that no rule matches, and texts of which nothing else is known.
        rules: The rules, in the order in which they are asked.
    """

    def __init__(self, default: ObsidianSplitter, rules: Iterable[SplitterRule]) -> None:
        super().__init__(
            chunk_size=default._chunk_size,
            chunk_overlap=default._chunk_overlap,
            length_function=default._length_function,
            add_start_index=True,
        )
        self.default = default
        self.rules = tuple(rules)

    def splitter_for(self, path: str, metadata: Mapping[Any, Any]) -> ObsidianSplitter:
        """Return the splitter that cuts a note.

        Args:
            path: The note's path.
            metadata: Its metadata: ``tags`` and the fields of its front matter.
        """
        return next((rule.splitter for rule in self.rules if rule.matches(path, metadata)), self.default)

    def split_text(self, text: str) -> list[str]:
        """Return the chunks of a text as the default splitter cuts it: neither its path nor its metadata are known."""
        return self.default.split_text(text)

    def split_note(self, rendered: RenderedNote) -> list[Document]:
        """Return the chunks of a rendered note."""
        return self.splitter_for(rendered.path, rendered.metadata).split_note(rendered)

    def split_parents(self, rendered: RenderedNote) -> list[Document]:
        """Return the larger sections of a rendered note: the documents whose ids its chunks carry as ``parent_id``."""
        return self.splitter_for(rendered.path, rendered.metadata).split_parents(rendered)

    def _cut(self, text: str, metadata: dict[Any, Any]) -> list[Document]:
        path = str(metadata.get("source") or "")
        return self.splitter_for(path, metadata)._cut(text, metadata)
