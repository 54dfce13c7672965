"""Finding out what a note needs, without writing anything."""

from __future__ import annotations

from typing import NamedTuple

from langchain_core.embeddings import Embeddings

from obsirag.catalogue import NoteRecord
from obsirag.errors import reason_of
from obsirag.indexing.changes import Look, SeenFile
from obsirag.indexing.files import file_hash, file_state, lasting_state
from obsirag.indexing.preparing import Preparer, VaultLike, input_limit_diagnostics, render_hash
from obsirag.records import Diagnostic, RenderedNote
from obsirag.vault import UNREADABLE_NOTE_CODES

__all__ = ["NOT_INDEXED", "Examiner", "Finding", "fault_of"]

NOT_INDEXED = "not-indexed"
"""The code of a failure that came up on the way from a file to its record."""


class Finding(NamedTuple):
    """What came of looking at a note: a new version, the file of one that needs none, or a failure.

    Args:
        record: The new version.
        seen: The file of a note that is as it was.
        failure: Why there is neither.
        diagnostics: What was noticed in the note.
    """

    record: NoteRecord | None = None
    seen: SeenFile | None = None
    failure: Diagnostic | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class Examiner:
    """Looks at notes that may need a new version.

    Args:
        vault: The vault.
        preparer: Makes records of notes.
        embeddings: The model, for the input limit that it may declare.
    """

    def __init__(self, vault: VaultLike, preparer: Preparer, embeddings: Embeddings) -> None:
        self.vault = vault
        self.settings = preparer.settings
        self._preparer = preparer
        self._limit = getattr(embeddings, "input_limit", None)
        self._length = getattr(embeddings, "input_length", None)

    def examine(self, look: Look) -> Finding:
        """Return what a note needs."""
        path, seen, known = look
        try:
            note, rendered = self._preparer.render(path)
            fault = fault_of(rendered)
            if fault is not None:
                return Finding(failure=fault)
            name = render_hash(note, rendered)
            seen = self._seen_after(path, seen)
            if known is not None and known.render_hash == name and known.settings == self._preparer.settings:
                return Finding(seen=seen, diagnostics=tuple(rendered.diagnostics))
            record = self._preparer.record(note, rendered, seen.state, seen.hash, name)
            too_long = input_limit_diagnostics(record, self._limit, self._length)
            return Finding(record, diagnostics=(*rendered.diagnostics, *too_long))
        except Exception as error:  # noqa: BLE001 - one note's fault, in whatever part, must not end the run
            return Finding(failure=Diagnostic(path, 0, NOT_INDEXED, reason_of(error)))

    def _seen_after(self, path: str, seen: SeenFile) -> SeenFile:
        """Return what to remember of a file that has now been read a second time, by the vault."""
        after = file_state(self.vault.stat(path))
        is_same = after == seen.state or not seen.hash
        content = seen.hash if is_same else file_hash(self.vault.read_bytes(path))
        # If the content changed meanwhile, nobody knows which of the two was rendered.
        return SeenFile(lasting_state(seen.state, after), seen.hash if content == seen.hash else "")


def fault_of(rendered: RenderedNote) -> Diagnostic | None:
    """Return why the note itself, not one that it embeds, could not be read."""
    for diagnostic in rendered.diagnostics:
        if diagnostic.path == rendered.path and diagnostic.code in UNREADABLE_NOTE_CODES:
            return diagnostic
    return None
