"""LangChain's Tavily tools as a search provider."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from langchain_core.tools import BaseTool
from langchain_tavily import TavilyExtract, TavilySearch

from obsirag.errors import ServiceError
from obsirag.plugins.tavily_faults import UNREADABLE, TavilyFault
from obsirag.plugins.tavily_options import TavilyOptions
from obsirag.retrievers import WebHit, WebPage, WebSearchProvider
from obsirag.retrievers.deadlines import call_within

__all__ = ["TavilyProvider"]

# What Tavily takes in one request.
_MOST_HITS = 20
_MOST_URLS = 20
_MOST_ALLOWED = 300
_MOST_BLOCKED = 150
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_NO_SCORE = 1e9

Result = TypeVar("Result")


class TavilyProvider(WebSearchProvider):
    """Searches and reads pages by LangChain's Tavily tools, with a limit of time and with retries, which they lack.

    Their asynchronous side is used for synchronous calls too: it can be ended in time, and takes no proxies from the
    environment.

    Args:
        options: The options.
    """

    def __init__(self, options: TavilyOptions) -> None:
        self._options = options
        # Given a key, the tools don't look for one in the environment. Of a SecretStr they would send the asterisks.
        key = options.api_key.get_secret_value() if options.api_key else "none"
        server = {"tavily_api_key": key, "api_base_url": options.base_url}
        self._search = TavilySearch(topic=options.topic, search_depth=options.search_depth, **server)
        self._extract = TavilyExtract(extract_depth=options.extract_depth, **server)

    def search(
        self, query: str, *, limit: int, allow_domains: Sequence[str] = (), block_domains: Sequence[str] = ()
    ) -> list[WebHit]:
        """Return what fits a query, the best first."""
        return self._wait(
            lambda: self.asearch(query, limit=limit, allow_domains=allow_domains, block_domains=block_domains)
        )

    async def asearch(
        self, query: str, *, limit: int, allow_domains: Sequence[str] = (), block_domains: Sequence[str] = ()
    ) -> list[WebHit]:
        """Return what fits a query, the best first."""
        tool = self._search.model_copy(update={"max_results": min(limit, _MOST_HITS)})
        given = {
            "query": query,
            "include_domains": list(allow_domains[:_MOST_ALLOWED]),
            "exclude_domains": list(block_domains[:_MOST_BLOCKED]),
        }
        found = [_hit(each) for each in await self._results(tool, given)]
        return [hit for hit in found if hit is not None][:limit]

    def extract(self, urls: Sequence[str]) -> list[WebPage]:
        """Return the texts of pages, without those that cannot be read."""
        return self._wait(lambda: self.aextract(urls))

    async def aextract(self, urls: Sequence[str]) -> list[WebPage]:
        """Return the texts of pages, without those that cannot be read."""
        pages = []
        for start in range(0, len(urls), _MOST_URLS):
            results = await self._results(self._extract, {"urls": list(urls[start : start + _MOST_URLS])})
            pages += [page for page in map(_page, results) if page is not None]
        return pages

    def _wait(self, call: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        # In a thread of its own, because the caller's may be running an event loop already.
        patience = (self._options.max_retries + 1) * (self._options.timeout + _LONGEST_PAUSE)
        try:
            return call_within(patience, lambda: asyncio.run(call()))
        except TimeoutError:
            fault = TavilyFault.of(TimeoutError())
        raise self._error(fault)

    async def _results(self, tool: BaseTool, given: dict[str, Any]) -> list[Any]:
        outcome = await self._ask(tool, given)
        for retry in range(self._options.max_retries):
            if not (isinstance(outcome, TavilyFault) and outcome.may_pass):
                break
            await asyncio.sleep(min(_FIRST_PAUSE * 2**retry, _LONGEST_PAUSE))
            outcome = await self._ask(tool, given)
        if isinstance(outcome, TavilyFault):
            raise self._error(outcome)
        return outcome

    async def _ask(self, tool: BaseTool, given: dict[str, Any]) -> list[Any] | TavilyFault:
        """Return the results of a request, or what went wrong: the tools return faults, and text where nothing is."""
        try:
            async with asyncio.timeout(self._options.timeout):
                answer = await tool.ainvoke(given)
        except TimeoutError as error:
            return TavilyFault.of(error)
        match answer:
            case str():
                return []
            case {"error": Exception() as fault}:
                return TavilyFault.of(fault)
            case {"results": list(results)}:
                return results
        return UNREADABLE

    def _error(self, fault: TavilyFault) -> ServiceError:
        # Without its cause: what the transport raises can hold the request with its key.
        return ServiceError(f"search provider 'tavily' at {self._options.address}: {fault.message}")


def _hit(result: Any) -> WebHit | None:
    match result:
        case {"url": str(url), "content": str(snippet)}:
            title, score = result.get("title"), result.get("score")
            is_score = isinstance(score, int | float) and abs(score) < _NO_SCORE
            return WebHit(url, title if isinstance(title, str) else "", snippet, float(score) if is_score else None)
    return None


def _page(result: Any) -> WebPage | None:
    match result:
        case {"url": str(url), "raw_content": str(text)}:
            return WebPage(url, text)
    return None
