"""Question answering over Obsidian vaults, built from replaceable parts.

Names are imported when they are first used: ``import obsirag`` itself costs next to nothing and needs no extra.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from obsirag.components import Components, aindex_vault, index_vault, open_feedback, open_retriever
    from obsirag.config import RagConfig, load_config
    from obsirag.feedback import Feedback, Mark
    from obsirag.graphs import build_index_graph, build_rag_graph
    from obsirag.plugins import hookimpl, hookspec
    from obsirag.records import Citation, Diagnostic, IndexReport, Note, RenderedNote, SourceLocation
    from obsirag.retrievers import fuse_by_document, merge_near_duplicates, near_duplicate_pairs
    from obsirag.splitters import ObsidianSplitter
    from obsirag.tools import ask_tool, note_tools, read_note_tool, search_tool
    from obsirag.vault import Vault

__all__ = [
    "Citation",
    "Components",
    "Diagnostic",
    "Feedback",
    "IndexReport",
    "Mark",
    "Note",
    "ObsidianSplitter",
    "RagConfig",
    "RenderedNote",
    "SourceLocation",
    "Vault",
    "aindex_vault",
    "ask_tool",
    "build_index_graph",
    "build_rag_graph",
    "fuse_by_document",
    "hookimpl",
    "hookspec",
    "index_vault",
    "load_config",
    "merge_near_duplicates",
    "near_duplicate_pairs",
    "note_tools",
    "open_feedback",
    "open_retriever",
    "read_note_tool",
    "search_tool",
]

_ROOMS = {
    "components": ("Components", "aindex_vault", "index_vault", "open_feedback", "open_retriever"),
    "config": ("RagConfig", "load_config"),
    "feedback": ("Feedback", "Mark"),
    "graphs": ("build_index_graph", "build_rag_graph"),
    "plugins": ("hookimpl", "hookspec"),
    "records": ("Citation", "Diagnostic", "IndexReport", "Note", "RenderedNote", "SourceLocation"),
    "retrievers": ("fuse_by_document", "merge_near_duplicates", "near_duplicate_pairs"),
    "splitters": ("ObsidianSplitter",),
    "tools": ("ask_tool", "note_tools", "read_note_tool", "search_tool"),
    "vault": ("Vault",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'obsirag' has no attribute {name!r}")
    value = getattr(import_module(f"obsirag.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
