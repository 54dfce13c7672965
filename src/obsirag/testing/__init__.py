"""What shows that a part fits: the conformance kit, and parts for tests whose behaviour is written down.

A test class for a part of one's own is a subclass with the method ``make``::

    from obsirag.testing import VectorStoreConformance

    class TestAcmeStore(VectorStoreConformance):
        def make(self, embeddings, folder):
            return AcmeStore(embeddings, folder)

pytest runs each check as a test of its own; ``run_conformance(TestAcmeStore)`` runs them without pytest and returns a
report, and ``obsirag conformance acme`` does that for an installed plugin.

Names are imported when they are first used, since each needs what its kind of part needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from obsirag.testing.chat_model import ChatModelConformance
    from obsirag.testing.checks import Capability, Check, ConformanceError, check, expect
    from obsirag.testing.cleaner import CleanerConformance
    from obsirag.testing.conformance import Conformance
    from obsirag.testing.embeddings import EmbeddingsConformance
    from obsirag.testing.fake_chat import ScriptedChatModel
    from obsirag.testing.fake_embeddings import FakeEmbeddings
    from obsirag.testing.fake_search import FakeSearch
    from obsirag.testing.keyword_index import KeywordIndexConformance
    from obsirag.testing.loader import LoaderConformance
    from obsirag.testing.node import NodeConformance
    from obsirag.testing.plugin_parts import choose_kind, kit_for_plugin
    from obsirag.testing.report import CheckResult, ConformanceReport
    from obsirag.testing.reranker import RerankerConformance
    from obsirag.testing.running import run_conformance
    from obsirag.testing.search_provider import SearchProviderConformance
    from obsirag.testing.splitter import SplitterConformance
    from obsirag.testing.vector_store import VectorStoreConformance

__all__ = [
    "Capability",
    "ChatModelConformance",
    "Check",
    "CheckResult",
    "CleanerConformance",
    "Conformance",
    "ConformanceError",
    "ConformanceReport",
    "EmbeddingsConformance",
    "FakeEmbeddings",
    "FakeSearch",
    "KeywordIndexConformance",
    "LoaderConformance",
    "NodeConformance",
    "RerankerConformance",
    "ScriptedChatModel",
    "SearchProviderConformance",
    "SplitterConformance",
    "VectorStoreConformance",
    "check",
    "choose_kind",
    "expect",
    "kit_for_plugin",
    "run_conformance",
]

_MODULES = {
    "chat_model": ("ChatModelConformance",),
    "checks": ("Capability", "Check", "ConformanceError", "check", "expect"),
    "cleaner": ("CleanerConformance",),
    "conformance": ("Conformance",),
    "embeddings": ("EmbeddingsConformance",),
    "fake_chat": ("ScriptedChatModel",),
    "fake_embeddings": ("FakeEmbeddings",),
    "fake_search": ("FakeSearch",),
    "keyword_index": ("KeywordIndexConformance",),
    "loader": ("LoaderConformance",),
    "node": ("NodeConformance",),
    "plugin_parts": ("choose_kind", "kit_for_plugin"),
    "report": ("CheckResult", "ConformanceReport"),
    "reranker": ("RerankerConformance",),
    "running": ("run_conformance",),
    "search_provider": ("SearchProviderConformance",),
    "splitter": ("SplitterConformance",),
    "vector_store": ("VectorStoreConformance",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'obsirag.testing' has no attribute {name!r}")
    value = getattr(import_module(f"obsirag.testing.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
