"""Frozen value types that all rooms share."""

from obsirag.records.citation import Citation
from obsirag.records.derived import DERIVED, Original, is_derived, originals_of
from obsirag.records.diagnostic import Diagnostic
from obsirag.records.edits import Edit, apply_edits
from obsirag.records.keyword_index import KeywordIndex
from obsirag.records.loading import FilePart, LoadedFile, Loader
from obsirag.records.note import Link, Note
from obsirag.records.permissions import (
    PUBLIC,
    Permissions,
    access_key,
    labels_of,
    may_read,
    merge_permissions,
    permissions_from_json,
    permissions_in,
    permissions_of,
    permissions_to_json,
)
from obsirag.records.places import Place, Quote, locate_quote, places_from_json, places_to_json
from obsirag.records.rendered import EmbedSpan, RenderedNote, Segment, SourceLocation, count_line_ends
from obsirag.records.report import IndexReport

__all__ = [
    "DERIVED",
    "PUBLIC",
    "Citation",
    "Diagnostic",
    "Edit",
    "EmbedSpan",
    "FilePart",
    "IndexReport",
    "KeywordIndex",
    "Link",
    "LoadedFile",
    "Loader",
    "Note",
    "Original",
    "Permissions",
    "Place",
    "Quote",
    "RenderedNote",
    "Segment",
    "SourceLocation",
    "access_key",
    "apply_edits",
    "count_line_ends",
    "is_derived",
    "labels_of",
    "locate_quote",
    "may_read",
    "merge_permissions",
    "originals_of",
    "permissions_from_json",
    "permissions_in",
    "permissions_of",
    "permissions_to_json",
    "places_from_json",
    "places_to_json",
]
