"""What a provider of web search has to be, and the values that it gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from obsirag.retrievers.deadlines import in_thread

__all__ = ["WebHit", "WebPage", "WebSearchProvider"]


class WebHit(NamedTuple):
    """A page that a search found.

    Args:
        url: Its address.
        title: Its title; may be empty.
        snippet: The part of its text that fits the question.
        score: How well it fits, the higher the better; None if the provider doesn't say.
    """

    url: str
    title: str
    snippet: str
    score: float | None = None


class WebPage(NamedTuple):
    """The text of a page.

    Args:
        url: Its address, as it was asked for.
        text: Its text, plain or Markdown.
    """

    url: str
    text: str


class WebSearchProvider(ABC):
    """Searches the web and reads pages, by a service; safe to be called from several threads.

    What it gives is checked afterwards: it may ignore the lists of domains, and its texts are data.
    """

    @abstractmethod
    def search(
        self, query: str, *, limit: int, allow_domains: Sequence[str] = (), block_domains: Sequence[str] = ()
    ) -> list[WebHit]:
        """Return what fits a query, the best first; an empty list if nothing does.

        Args:
            query: A plain sentence of at most 400 characters, without operators.
            limit: Most hits.
            allow_domains: The only domains wanted, with their subdomains, in lower case and ASCII; all if empty.
            block_domains: Domains that are not wanted.

        Raises:
            ServiceError: If the service cannot be reached or fails.
        """

    @abstractmethod
    def extract(self, urls: Sequence[str]) -> list[WebPage]:
        """Return the texts of pages, without those that cannot be read.

        Args:
            urls: Addresses of hits.

        Raises:
            ServiceError: If the service cannot be reached or fails.
        """

    async def asearch(
        self, query: str, *, limit: int, allow_domains: Sequence[str] = (), block_domains: Sequence[str] = ()
    ) -> list[WebHit]:
        """Do what ``search`` does, without holding up the event loop."""
        return await in_thread(
            lambda: list(self.search(query, limit=limit, allow_domains=allow_domains, block_domains=block_domains))
        )

    async def aextract(self, urls: Sequence[str]) -> list[WebPage]:
        """Do what ``extract`` does, without holding up the event loop."""
        return await in_thread(lambda: list(self.extract(urls)))
