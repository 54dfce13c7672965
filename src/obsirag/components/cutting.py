"""Cutting notes of a vault without an index, with parts that are built once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from obsirag.components.build import build_components
from obsirag.components.cleaning import cleaner_of
from obsirag.components.loaders import open_vault
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import VaultError

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter

    from obsirag.records import Diagnostic, RenderedNote
    from obsirag.splitters import Measure, SplitReport

__all__ = ["NoteCutter"]

Progress = Callable[[int, int, str], None]


class NoteCutter:
    """Renders, cleans and cuts notes as indexing does.

    It reads the vault itself, whatever labels its notes carry: it is for those who may read the files. Parts are built
    when the first note is cut.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        VaultError: If there is no such vault.
    """

    def __init__(self, config: RagConfig, components: Components | None = None) -> None:
        self.vault = open_vault(config, components)
        self._config = config
        self._given = components

    def render(self, path: str) -> RenderedNote:
        """Return a note's text as it is cut.

        Raises:
            ConfigError: If the configuration is wrong.
            PluginError: If a part cannot be made.
            VaultError: If the vault has no such note, or it cannot be read.
        """
        rendered = self.vault.render(path)
        if (fault := _fault_of(rendered)) is not None:
            raise VaultError(str(fault))
        return self._clean(rendered)

    def cut(self, rendered: RenderedNote) -> list[Document]:
        """Return the chunks of a note from ``render``; like an index's, all say which note they are of."""
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
        from obsirag.splitters import Limits, Measure, ObsidianSplitter, RuleSplitter

        splitter: Any = self._splitter
        if isinstance(splitter, RuleSplitter):
            splitter = splitter.splitter_for(rendered.path, rendered.metadata)
        if isinstance(splitter, ObsidianSplitter):
            length = splitter.length_function
            return Measure(Limits(self._unit(length), splitter.chunk_size, splitter.max_chunk_size), length)
        # LangChain's splitters keep what they were made with under these names, and tell it nowhere else.
        length = getattr(splitter, "_length_function", len)
        return Measure(Limits(self._unit(length), getattr(splitter, "_chunk_size", None)), length)

    def report(self, path: str) -> SplitReport:
        """Return how one note is cut.

        Raises:
            ConfigError: If the configuration is wrong.
            PluginError: If a part cannot be made.
            VaultError: If the vault has no such note, or it cannot be read.
        """
        from obsirag.splitters import SplitReport

        rendered = self.render(path)
        documents = self.cut(rendered)
        warnings = [*rendered.diagnostics, *self._past_input_limit(documents)]
        return SplitReport.from_documents(documents, self.measure(rendered), notes=[rendered.path], warnings=warnings)

    def report_vault(self, progress: Progress | None = None) -> SplitReport:
        """Return how all notes are cut; those that cannot be read are among its warnings.

        Args:
            progress: Called with the number of notes done, the number of all, and the note's path.

        Raises:
            ConfigError: If the configuration is wrong.
            PluginError: If a part cannot be made.
        """
        from obsirag.splitters import SplitReport

        documents: list[Document] = []
        warnings: set[Diagnostic] = set()
        measures: dict[str, Measure] = {}
        paths = self.vault.paths()
        for done, path in enumerate(paths, 1):
            if progress is not None:
                progress(done, len(paths), path)
            rendered = self.vault.render(path)
            warnings.update(rendered.diagnostics)
            if _fault_of(rendered) is None:
                chunks = self.cut(self._clean(rendered))
                warnings.update(self._past_input_limit(chunks))
                documents += chunks
                measures[rendered.path] = self.measure(rendered)
        return SplitReport.from_documents(
            documents,
            lambda document: measures[document.metadata["source"]],
            notes=measures,
            warnings=sorted(warnings),
        )

    @cached_property
    def _parts(self) -> Components:
        return build_components(self._config, self._given, kinds=("embeddings", "splitter", "cleaner"))

    @property
    def _splitter(self) -> TextSplitter:
        return cast("TextSplitter", self._parts.splitter)

    def _clean(self, rendered: RenderedNote) -> RenderedNote:
        return cleaner_of(self._config, self._parts)(rendered)

    def _unit(self, length: Callable[[str], int]) -> str:
        from obsirag.text import estimate_tokens, word_count

        counted = getattr(self._parts.embeddings, "input_length", None)
        units = ((len, "characters"), (word_count, "words"), (estimate_tokens, "tokens"), (counted, "model_tokens"))
        return next((unit for known, unit in units if length == known), "") or getattr(
            length, "__name__", "units of the splitter"
        )

    def _past_input_limit(self, documents: list[Document]) -> Iterator[Diagnostic]:
        """Yield a finding for each chunk that is longer than what the embedding model reads, if that tells it."""
        from obsirag.records import Diagnostic

        limit = getattr(self._parts.embeddings, "input_limit", None)
        length = getattr(self._parts.embeddings, "input_length", None)
        if not isinstance(limit, int) or not callable(length):
            return
        for document in documents:
            if (size := length(document.page_content)) > limit:
                fields = document.metadata
                message = f"a chunk is {size} long, the embedding model reads {limit}: lower the splitter's sizes"
                yield Diagnostic(str(fields.get("source")), int(fields.get("start_line") or 0), "input-limit", message)


def _fault_of(rendered: RenderedNote) -> Diagnostic | None:
    """Return why a note could not be read; None if it could."""
    from obsirag.vault import UNREADABLE_NOTE_CODES

    own = (each for each in rendered.diagnostics if each.path == rendered.path)
    return next((each for each in own if each.code in UNREADABLE_NOTE_CODES), None)
