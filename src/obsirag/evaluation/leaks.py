"""When a retrieved chunk is one that its caller must not have."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from langchain_core.documents import Document

from obsirag.evaluation.hits import spans_of
from obsirag.records import PUBLIC, Permissions, may_read

__all__ = ["is_leak"]


def is_leak(document: Document, labels: Collection[str], permissions: Mapping[str, Permissions]) -> bool:
    """Say whether a chunk holds text that a caller with ``labels`` may not read.

    Args:
        document: The chunk; its own ``permissions`` count, each a list of labels or a JSON list of them.
        labels: The caller's labels.
        permissions: Who may read which note, by path, as the vault says; a note that isn't named is for everybody.
    """
    if not may_read(_own_permissions(document), labels):
        return True
    # A chunk that doesn't say which lines it holds still comes from a note.
    paths = {str(document.metadata.get("source")), *(span.path for span in spans_of(document))}
    return any(not may_read(permissions.get(path, PUBLIC), labels) for path in paths)


def _own_permissions(document: Document) -> Iterable[Collection[str]]:
    for stated in document.metadata.get("permissions") or ():
        try:
            labels = stated if isinstance(stated, list) else json.loads(stated)
        except (TypeError, ValueError):
            labels = None
        # What cannot be read is for nobody: an evaluation that looks for leaks must not pass over a doubtful one.
        yield labels if isinstance(labels, list) else ()
