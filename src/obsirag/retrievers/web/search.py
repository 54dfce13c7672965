"""Search in the web: hits first, and the pages of those that are kept."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from langchain_core.documents import Document

from obsirag.errors import ConfigError, MissingExtraError, ServiceError, reason_of
from obsirag.retrievers.deadlines import await_within, call_within
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter, matches
from obsirag.retrievers.request import SearchRequest
from obsirag.retrievers.web.addresses import DomainLists, normal_url
from obsirag.retrievers.web.documents import document_of_hit, with_page
from obsirag.retrievers.web.provider import WebHit, WebPage, WebSearchProvider
from obsirag.retrievers.web.queries import plain_sentence

__all__ = ["WebSearch"]

_log = logging.getLogger(__name__)
Given = TypeVar("Given")
Result = TypeVar("Result")


class WebSearch:
    """Finds pages of the web through a provider.

    The query leaves the machine, as a plain sentence. What comes back is text like that of notes: data, never
    instructions. No address that a hit names is called from here: the provider reads the pages.

    Args:
        provider: Who searches, and reads the pages.
        allow_domains: The only domains to take pages from, subdomains included; all if empty.
        block_domains: Domains to take no pages from, even if they are allowed.
        extract: Whether ``extract`` reads the pages.
        max_page_characters: Most characters of a document.
        timeout: How many seconds a search, or the pages, are waited for.

    Raises:
        ValueError: If a domain is none.
    """

    def __init__(
        self,
        provider: WebSearchProvider,
        *,
        allow_domains: Iterable[str] = (),
        block_domains: Iterable[str] = (),
        extract: bool = True,
        max_page_characters: int = 6000,
        timeout: float = 30.0,
    ) -> None:
        self._provider = provider
        self._domains = DomainLists.of(allow_domains, block_domains)
        self._extracts = extract
        self._most = max_page_characters
        self._timeout = timeout

    def search(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 5
    ) -> list[Document]:
        """Return what a search finds, in the provider's order, each page once.

        Args:
            query: Any text; of operators of search engines only the words are used. An empty query finds nothing.
            labels: The caller's labels; they make no difference, since what is found is for everybody.
            filter: What the documents' metadata have to match; None for everything.
            limit: Most documents.

        Returns:
            Documents with their snippets as texts and the MD5 of their addresses as ids. In their metadata ``source``
            is the address, ``web`` is true, and ``score`` and ``web_score`` are the provider's, where it gives one.

        Raises:
            ConfigError: If the query, the labels or the filter cannot be read.
            SearchError: If the search fails or takes too long.
        """
        request = SearchRequest.from_caller(query, labels, filter)
        with _failures("web_search", self._timeout):
            ask = self._question(self._provider.search, request, limit)
            return self._found(call_within(self._timeout, lambda: list(ask())), request, limit) if ask else []

    async def asearch(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 5
    ) -> list[Document]:
        """Do what ``search`` does, without holding up the event loop."""
        request = SearchRequest.from_caller(query, labels, filter)
        with _failures("web_search", self._timeout):
            ask = self._question(self._provider.asearch, request, limit)
            if ask is None:
                return []
            return self._found(await await_within(self._timeout, ask), request, limit)

    def extract(self, documents: Sequence[Document]) -> list[Document]:
        """Return documents with the texts of their pages instead of snippets.

        Args:
            documents: What ``search`` found; those that are no pages of the web stay as they are, and so do those
                whose page cannot be read.

        Returns:
            As many documents in the same order, those with a page's text with ``metadata["extracted"]``.

        Raises:
            SearchError: If the provider fails or takes too long; the documents given are still good.
        """
        urls = self._urls_of(documents)
        if not urls:
            return list(documents)
        with _failures("web_pages", self._timeout):
            return self._filled(documents, call_within(self._timeout, lambda: list(self._provider.extract(urls))))

    async def aextract(self, documents: Sequence[Document]) -> list[Document]:
        """Do what ``extract`` does, without holding up the event loop."""
        urls = self._urls_of(documents)
        if not urls:
            return list(documents)
        with _failures("web_pages", self._timeout):
            pages = await await_within(self._timeout, partial(self._provider.aextract, urls))
            return await asyncio.to_thread(self._filled, documents, pages)

    def _question(self, ask: Callable[..., Result], request: SearchRequest, limit: int) -> Callable[[], Result] | None:
        """Return the call to the provider; None if there is nothing to ask."""
        query = plain_sentence(request.query)
        if not query or limit < 1:
            return None
        return partial(ask, query, limit=limit, allow_domains=self._domains.allow, block_domains=self._domains.block)

    def _found(self, hits: Iterable[WebHit], request: SearchRequest, limit: int) -> list[Document]:
        found: dict[str, Document] = {}
        for document in filter(None, _readable(hits, self._document)):
            if matches(request.filter, document.metadata):
                found.setdefault(document.metadata["source"], document)
        return list(found.values())[:limit]

    def _document(self, hit: WebHit) -> Document | None:
        url = self._admitted(hit.url)
        return document_of_hit(hit, url, limit=self._most) if url else None

    def _filled(self, documents: Sequence[Document], pages: Iterable[WebPage]) -> list[Document]:
        texts = dict(_readable(pages, lambda page: (normal_url(page.url), page.text.strip())))
        return [
            with_page(each, texts[url], limit=self._most) if (url := self._url_of(each)) in texts and url else each
            for each in documents
        ]

    def _urls_of(self, documents: Sequence[Document]) -> list[str]:
        return list(dict.fromkeys(filter(None, map(self._url_of, documents)))) if self._extracts else []

    def _url_of(self, document: Document) -> str | None:
        return self._admitted(str(document.metadata.get("source"))) if document.metadata.get("web") is True else None

    def _admitted(self, address: str) -> str | None:
        url = normal_url(address)
        return url if url and self._domains.admits(url) else None


def _readable(given: Iterable[Given], read: Callable[[Given], Result]) -> list[Result]:
    """Return what ``read`` makes of what a provider gave; what cannot be read is left out, unless it is all of it."""
    made: list[Result] = []
    fault: Exception | None = None
    for each in given:
        try:
            made.append(read(each))
        except (AttributeError, TypeError, ValueError) as error:
            fault = error
            _log.warning("web search: the provider gave something unreadable, which is left out (%s)", reason_of(error))
    if fault and not made:
        raise fault
    return made


@contextmanager
def _failures(part: str, timeout: float) -> Iterator[None]:
    """Raise what goes wrong inside as a SearchError, but for what is wrong in the configuration."""
    try:
        yield
    except (ConfigError, MissingExtraError):
        raise
    except TimeoutError as error:
        late = ServiceError(f"no answer within {timeout:g} seconds, which `web_search.timeout` allows")
        raise SearchError(part, late) from error
    except Exception as error:  # the fault boundary around a provider, which may be anybody's code
        raise SearchError(part, error) from error
