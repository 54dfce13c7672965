"""Cutting notes of a vault one after the other, with parts that are built once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from obsirag.cli.settle import open_vault
from obsirag.config import SplitterOptions
from obsirag.errors import VaultError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter

    from obsirag.config import RagConfig
    from obsirag.records import Diagnostic, RenderedNote
    from obsirag.splitters import Measure

__all__ = ["NoteCutter"]


class NoteCutter:
    """Renders, cleans and cuts notes as indexing does. It reads the vault itself, whatever labels its notes carry.

    Args:
        settings: The configuration.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If there is no such vault.
    """

    def __init__(self, settings: RagConfig) -> None:
        from obsirag.components import build_components

        self._settings = settings
        self.vault = open_vault(settings)
        parts = build_components(settings, kinds=("embeddings", "splitter", "cleaner"))
        self._splitter = cast("TextSplitter", parts.splitter)
        self._cleaners = parts.cleaners or ()
        self._embeddings = parts.embeddings

    def render(self, path: str) -> RenderedNote:
        """Return a note's text as it is cut.

        Raises:
            VaultError: If the vault has no such note, or it cannot be read.
        """
        rendered = self.vault.render(path)
        if (fault := fault_of(rendered)) is not None:
            raise VaultError(str(fault))
        return self.clean(rendered)

    def clean(self, rendered: RenderedNote) -> RenderedNote:
        """Return a rendered note cleaned as the configuration says."""
        from obsirag.cleaning import clean

        return clean(rendered, self._settings.cleaning, more_steps=self._cleaners)

    def cut(self, rendered: RenderedNote) -> list[Document]:
        """Return a note's chunks; like an index's, all say which note they are of."""
        from langchain_core.documents import Document

        from obsirag.indexing import split_note

        return [
            chunk
            if chunk.metadata.get("source") == rendered.path
            else Document(chunk.page_content, metadata={**chunk.metadata, "source": rendered.path}, id=chunk.id)
            for chunk in split_note(rendered, self._splitter)
        ]

    def measure(self, rendered: RenderedNote) -> Measure:
        """Return how a note's chunks are measured, and what they should keep to as far as the splitter says that."""
        from obsirag.splitters import Limits, Measure

        splitter, options = self._chosen(rendered)
        # LangChain's splitters keep what they were made with under these names.
        size = getattr(splitter, "_chunk_size", None)
        length = getattr(splitter, "_length_function", len)
        if options is not None:
            return Measure(Limits(options.unit, size, options.max_chunk_size or 2 * options.chunk_size), length)
        unit = "characters" if length is len else getattr(length, "__name__", "units of the splitter")
        return Measure(Limits(unit, size), length)

    def _chosen(self, rendered: RenderedNote) -> tuple[TextSplitter, SplitterOptions | None]:
        """Return what cuts a note, and the options that it was made with; None for a plugin's splitter."""
        from obsirag.splitters import RuleSplitter

        options = self._settings.splitter
        if not isinstance(options, SplitterOptions):
            return self._splitter, None
        if not isinstance(self._splitter, RuleSplitter):
            return self._splitter, options
        chosen = self._splitter.splitter_for(rendered.path, rendered.metadata)
        for rule, written in zip(self._splitter.rules, options.rules, strict=True):
            if rule.splitter is chosen:
                return chosen, options.for_rule(written)
        return chosen, options

    def past_input_limit(self, documents: list[Document]) -> Iterator[Diagnostic]:
        """Yield a finding for each chunk that is longer than what the embedding model reads, if that tells it."""
        from obsirag.records import Diagnostic

        limit = getattr(self._embeddings, "input_limit", None)
        length = getattr(self._embeddings, "input_length", None)
        if not isinstance(limit, int) or not callable(length):
            return
        for document in documents:
            if (size := length(document.page_content)) > limit:
                fields = document.metadata
                message = f"a chunk is {size} long, the embedding model reads {limit}: lower the splitter's sizes"
                yield Diagnostic(str(fields.get("source")), int(fields.get("start_line") or 0), "input-limit", message)


def fault_of(rendered: RenderedNote) -> Diagnostic | None:
    """Return why a note could not be read; None if it could."""
    from obsirag.vault import UNREADABLE_NOTE_CODES

    own = (each for each in rendered.diagnostics if each.path == rendered.path)
    return next((each for each in own if each.code in UNREADABLE_NOTE_CODES), None)
