"""A note's own metadata beside that of its chunks: flat, JSON-safe, under names that don't collide."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from obsirag.splitters.bounds import LONGEST_OWN_FIELDS, shortened

__all__ = ["CHUNK_FIELDS", "RESERVED_FIELDS", "TAKEN_OVER", "own_metadata"]

CHUNK_FIELDS = frozenset(
    """
    source title file_name headings hierarchy_path sections start_index end_index start_line end_line source_spans
    chunk_index chunk_count chunk_id parent_id linked_chunk_ids is_partial overlap context_before context_after has_code
    code_languages word_count char_count tags links content_hash permissions
    """.split()  # noqa: SIM905 - a list of words reads better so
)
"""The names that chunk metadata takes for itself."""

RESERVED_FIELDS = CHUNK_FIELDS | frozenset(
    """
    places file_parts access score vector_score keyword_score fusion_score rerank_score matched_chunk_ids merged_sources
    merged_chunk_ids merged_scores aspects linked_from degraded preference preference_marks
    """.split()  # noqa: SIM905 - the same
)
"""All names that a note's own field cannot have beside a chunk's: the chunk's own, and what indexing, the stores,
search and the graph add to them later."""

TAKEN_OVER = frozenset({"title", "tags", "links"})
"""The names of a note's fields that mean the same as a chunk's."""


def own_metadata(metadata: Mapping[Any, Any], *, drop: frozenset[str] = TAKEN_OVER) -> dict[str, Any]:
    """Return a note's own fields as chunks carry them.

    A field of a reserved name becomes ``note.<name>``, so that neither takes the other's place; title, tags and links
    mean the same in both. Dates become ISO strings, nested values JSON text. Since every chunk repeats them, they are
    taken over in order as far as they fit 10,000 characters of JSON together; what doesn't is left out, but for the
    title, of which the first 300 characters stay.

    Args:
        metadata: The note's fields.
        drop: Names of fields to leave out, by default those that a splitter works out by itself.
    """
    fields: dict[str, Any] = {}
    room = LONGEST_OWN_FIELDS
    for key, value in metadata.items():
        name = str(key)
        if name in drop:
            continue
        own = f"note.{name}" if name in RESERVED_FIELDS - TAKEN_OVER else name
        flat = _flat(shortened(value) if name == "title" and isinstance(value, str) else value)
        length = len(_as_json({own: flat}))
        if length <= room or name == "title":
            room -= length
            fields[own] = flat
    return fields


def _flat(value: Any) -> Any:
    scalar = _scalar(value)
    if scalar is not _NESTED:
        return scalar
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [_scalar(item) for item in _ordered(value)]
        if all(item is not _NESTED for item in items):
            return items
    return json.dumps(_plain(value), ensure_ascii=False)


_NESTED = object()
_as_json = json.JSONEncoder(ensure_ascii=False).encode


def _scalar(value: Any) -> Any:
    """Return a JSON-safe scalar for ``value``; the marker for nested values if it is one."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, (Mapping, list, tuple, set, frozenset)):
        return _NESTED
    return str(value)


def _plain(value: Any) -> Any:
    scalar = _scalar(value)
    if scalar is not _NESTED:
        return scalar
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in _ordered(value)]


def _ordered(value: Any) -> list[Any]:
    return sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)
