"""The metadata of chunks, written as HTML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document

from obsirag.cli.page.escaping import as_text

__all__ = ["as_list", "shared_fields", "value_text"]

_FIRST = tuple(
    """
    chunk_index chunk_count char_count word_count start_index end_index start_line end_line overlap is_partial
    context_before context_after headings hierarchy_path sections has_code code_languages tags links source_spans
    permissions chunk_id parent_id linked_chunk_ids content_hash
    """.split()  # noqa: SIM905 - a list of words reads better so
)
"""The order in which a chunk's own fields are shown; the note's follow."""

_NOWHERE_SHARED = frozenset(_FIRST)


def shared_fields(documents: Sequence[Document]) -> dict[str, Any]:
    """Return the note's fields that are the same in all chunks: the page tells these once."""
    if not documents:
        return {}
    rest = [document.metadata for document in documents[1:]]
    return {
        name: value
        for name, value in documents[0].metadata.items()
        if name not in _NOWHERE_SHARED and all(name in each and each[name] == value for each in rest)
    }


def as_list(fields: Mapping[str, Any], *, without: Iterable[str] = ()) -> str:
    """Return fields with their values as the rows of a description list, a chunk's own first.

    Args:
        fields: Metadata.
        without: Names to leave out.
    """
    left_out = set(without)
    names = [name for name in _FIRST if name in fields]
    names += [name for name in fields if name not in _NOWHERE_SHARED]
    return "".join(
        f"<dt>{as_text(str(name))}</dt><dd>{as_text(value_text(fields[name])) or '<i>empty</i>'}</dd>"
        for name in names
        if name not in left_out
    )


def value_text(value: Any) -> str:
    """Return a value as people read it: text as it is, a list's items on lines, anything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "\n".join(value_text(each) for each in value)
    return json.dumps(value, ensure_ascii=False, default=str)
