"""Where the configuration meets the plugins: ready parts, and the journeys that are made of them."""

from obsirag.components.build import build_components, store_opener
from obsirag.components.chunks import report_splitting, split_note
from obsirag.components.cutting import NoteCutter
from obsirag.components.defaults import HashingFallbackWarning
from obsirag.components.feedback import open_feedback
from obsirag.components.glossary import GlossarySource, open_glossary
from obsirag.components.growth import AnswerNote, draft_answer_note, save_answer_note
from obsirag.components.index import aindex_vault, index_vault
from obsirag.components.loaders import open_vault
from obsirag.components.node_versions import NodeVersion, choose_versions
from obsirag.components.observers import build_observers
from obsirag.components.parts import Components
from obsirag.components.planning import plan_sync
from obsirag.components.rebuilding import drop_index, rebuild_index
from obsirag.components.search import open_retriever
from obsirag.components.status import IndexStatus, read_status
from obsirag.components.watching import watch_vault
from obsirag.components.web import open_web_search

__all__ = [
    "AnswerNote",
    "Components",
    "GlossarySource",
    "HashingFallbackWarning",
    "IndexStatus",
    "NodeVersion",
    "NoteCutter",
    "aindex_vault",
    "build_components",
    "build_observers",
    "choose_versions",
    "draft_answer_note",
    "drop_index",
    "index_vault",
    "open_feedback",
    "open_glossary",
    "open_retriever",
    "open_vault",
    "open_web_search",
    "plan_sync",
    "read_status",
    "rebuild_index",
    "report_splitting",
    "save_answer_note",
    "split_note",
    "store_opener",
    "watch_vault",
]
