"""A provider of web search for tests, whose pages are written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from obsirag.retrievers import WebHit, WebPage, WebSearchProvider

__all__ = ["FakeSearch"]


class FakeSearch(WebSearchProvider):
    """Finds the hits it was told to, the same ones for every query, and remembers what it was asked.

    Args:
        hits: What is found, best first.
        pages: The texts of pages by their addresses; others cannot be read.
        error: Raised by each call; None for none.
    """

    def __init__(
        self,
        hits: Sequence[WebHit] = (),
        *,
        pages: Mapping[str, str] | None = None,
        error: Exception | None = None,
    ) -> None:
        self.hits = list(hits)
        self.texts = dict(pages or {})
        self.error = error
        self.asked: list[str] = []
        self.read: list[str] = []

    def search(
        self, query: str, *, limit: int, allow_domains: Sequence[str] = (), block_domains: Sequence[str] = ()
    ) -> list[WebHit]:
        """Return the hits of the domains that are wanted.

        Raises:
            Exception: The one that was given.
        """
        self.asked.append(query)
        if self.error is not None:
            raise self.error
        wanted = [each for each in self.hits if not allow_domains or _is_of(each.url, allow_domains)]
        return [each for each in wanted if not _is_of(each.url, block_domains)][:limit]

    def extract(self, urls: Sequence[str]) -> list[WebPage]:
        """Return the texts of the pages that there are.

        Raises:
            Exception: The one that was given.
        """
        self.read += urls
        if self.error is not None:
            raise self.error
        return [WebPage(url, self.texts[url]) for url in urls if url in self.texts]


def _is_of(url: str, domains: Sequence[str]) -> bool:
    host = urlsplit(url).hostname or ""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
