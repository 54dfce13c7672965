"""Ready parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsirag.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.vectorstores import VectorStore
    from langchain_text_splitters import TextSplitter

    from obsirag.cleaning import CleaningStep
    from obsirag.records import KeywordIndex, Loader
    from obsirag.retrievers import WebSearchProvider

__all__ = ["Components"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Parts that are ready to use; what is given here is used instead of what the configuration would build.

    Args:
        embeddings: Makes vectors of texts.
        chat_model: Writes answers.
        vector_store: Holds the vectors; given, it is used as it is and never opened anew.
        keyword_index: Finds words; given, it is used as it is and never opened anew.
        splitter: Cuts notes into chunks: the project's own or any other of LangChain's kind.
        reranker: Puts the fused hits into a better order.
        cleaners: Cleaning steps, in their order; they take the place of those that ``cleaning.steps`` names.
        search_provider: Searches the web.
        loaders: Read files that are no notes; they take the place of those that ``loaders`` names.

    Raises:
        ConfigError: If something cannot be what it was given as.
    """

    embeddings: Embeddings | None = None
    chat_model: BaseChatModel | None = None
    vector_store: VectorStore | None = None
    keyword_index: KeywordIndex | None = None
    splitter: TextSplitter | None = None
    reranker: BaseDocumentCompressor | None = None
    cleaners: Sequence[CleaningStep] | None = None
    search_provider: WebSearchProvider | None = None
    loaders: Sequence[Loader] | None = None

    def __post_init__(self) -> None:
        for kind, method in _CALLED.items():
            part = getattr(self, kind)
            if part is not None and (isinstance(part, type) or not hasattr(part, method)):
                given = f"the class {part.__name__}" if isinstance(part, type) else type(part).__name__
                raise ConfigError(f"components: {kind} must be an object with the method `{method}`, not {given}")


# Parts may be of anybody's class; what isn't asked for this is another thing altogether.
_CALLED = {
    "embeddings": "embed_documents",
    "chat_model": "invoke",
    "vector_store": "similarity_search",
    "keyword_index": "search",
    "splitter": "split_documents",
    "reranker": "compress_documents",
    "search_provider": "search",
}
