"""No reranker: the fused order stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document

from obsirag.config import ConfigModel
from obsirag.plugins.markers import hookimpl

__all__ = ["NoReranker", "reranker"]


class NoRerankerOptions(ConfigModel):
    """What can be set for ``none``: nothing."""


class NoReranker(BaseDocumentCompressor):
    """Leaves documents as they are; it takes the place of a reranker in a configuration that inherits one."""

    def compress_documents(
        self,
        documents: Sequence[Document],
        query: str,  # noqa: ARG002 - LangChain's
        callbacks: Callbacks | None = None,  # noqa: ARG002 - LangChain's
    ) -> Sequence[Document]:
        """Return the documents."""
        return documents


@hookimpl
def reranker(options: dict[str, Any]) -> NoReranker:
    """Make a reranker that does nothing."""
    NoRerankerOptions.parse(options, place="reranker (none)")
    return NoReranker()
