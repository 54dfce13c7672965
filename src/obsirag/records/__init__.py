"""Frozen value types that all rooms share."""

from obsirag.records.citation import Citation
from obsirag.records.diagnostic import Diagnostic
from obsirag.records.note import Link, Note
from obsirag.records.permissions import (
    PUBLIC,
    Permissions,
    access_key,
    may_read,
    merge_permissions,
    permissions_of,
    permissions_to_json,
)
from obsirag.records.rendered import EmbedSpan, RenderedNote, Segment, SourceLocation
from obsirag.records.report import IndexReport

__all__ = [
    "PUBLIC",
    "Citation",
    "Diagnostic",
    "EmbedSpan",
    "IndexReport",
    "Link",
    "Note",
    "Permissions",
    "RenderedNote",
    "Segment",
    "SourceLocation",
    "access_key",
    "may_read",
    "merge_permissions",
    "permissions_of",
    "permissions_to_json",
]
