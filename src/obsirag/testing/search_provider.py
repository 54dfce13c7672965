"""What obsirag needs of a provider of web search."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import Any, ClassVar
from urllib.parse import urlsplit

from obsirag.retrievers import WebHit, WebPage, WebSearchProvider
from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.conformance import Conformance
from obsirag.testing.hard_texts import HARD_QUERIES

__all__ = ["SearchProviderConformance"]

_UNREAD = "what was found cannot be used, and the question is answered without the web"


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _is_within(url: str, domain: str) -> bool:
    return _host(url) == domain or _host(url).endswith(f".{domain}")


def _keeps_to_domains(kit: SearchProviderConformance) -> bool:
    domain = _host(kit.hits(kit.query)[0].url)
    came = kit.hits(kit.query, allow_domains=(domain,))
    return bool(came) and all(_is_within(each.url, domain) for each in came)


DOMAINS = Capability(
    "domain lists (`allow_domains`, `block_domains`)",
    "pages of other domains are thrown away after they were found, so that fewer are left",
    _keeps_to_domains,
)
SCORES = Capability(
    "scores", "traces show the order only", lambda kit: any(each.score is not None for each in kit.hits(kit.query))
)
PAGES = Capability(
    "texts of pages (`extract`)",
    "answers rest on snippets alone",
    lambda kit: bool(kit.pages([each.url for each in kit.hits(kit.query)])),
)
OWN_ASYNC = Capability(
    "asynchronous calls of its own",
    "each asynchronous question occupies a thread while the web is searched",
    lambda kit: type(kit.part).asearch is not WebSearchProvider.asearch,
)


class SearchProviderConformance(Conformance):
    """Checks of a ``WebSearchProvider``; a subclass has the method :meth:`make`."""

    kind: ClassVar[str] = "search_provider"
    query: ClassVar[str] = "Obsidian note taking app"
    """A query for which several pages are found."""
    unknown_query: ClassVar[str] = "qzxv wkjq hhzzt 8f3a91c0 xqqjw"
    """A query for which nothing is found."""

    def make(self) -> WebSearchProvider:
        """Return the provider."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def part(self) -> Any:
        """The provider."""
        return self.make()

    def reach(self) -> None:
        """Search for something."""
        self.part.search(self.query, limit=1)

    @check(harm=_UNREAD)
    def test_hits_have_an_address_a_title_and_a_snippet(self) -> None:
        came = self.hits(self.query)
        expect(came, f"hits for {self.query!r} (set `query` to one for which there are some)", "none")

    @check(harm="questions cost more than they are to")
    def test_no_more_hits_come_than_were_asked_for(self) -> None:
        for limit in (1, 3):
            expect(len(self.hits(self.query, limit)) <= limit, f"at most {limit}", len(self.hits(self.query, limit)))

    @check(harm="each question that the web doesn't answer is told as a failure of the search")
    def test_finding_nothing_is_no_error(self) -> None:
        self.hits(self.unknown_query)
        self.hits(self.query, allow_domains=("conformance.invalid",))

    @check(harm="such questions get no answer from the web")
    def test_hard_queries_are_taken(self) -> None:
        for query in HARD_QUERIES:
            self.hits(query)

    @check(harm="one page that cannot be read costs all the others")
    def test_pages_that_cannot_be_read_are_left_out(self) -> None:
        known = self.hits(self.query)[0].url
        readable = self.pages([known])
        came = self.pages(["https://conformance.invalid/nothing", known])
        expect([each.url for each in came] == [each.url for each in readable], "the readable pages alone", came)

    @check(harm="asynchronous questions get no answer from the web")
    def test_asynchronous_calls_give_hits_and_pages(self) -> None:
        async def ask() -> tuple[list[WebHit], list[WebPage]]:
            hits = await self.part.asearch(self.query, limit=3)
            return hits, await self.part.aextract([each.url for each in hits])

        hits, pages = self.run_async(ask)
        _check_hits(hits)
        expect(hits, "hits, as without `a`", "none")
        _check_pages(pages, [each.url for each in hits])

    @check(harm="two people who ask at the same time get errors")
    def test_several_threads_may_ask(self) -> None:
        for came in self.side_by_side([lambda: self.hits(self.query, 3)] * 4):
            expect(came, "hits in each thread", "none")

    @check(of=DOMAINS, harm="pages take the places of others and are then thrown away, so that nothing is left")
    def test_blocked_domains_stay_out(self) -> None:
        domain = _host(self.hits(self.query)[0].url)
        came = [each.url for each in self.hits(self.query, block_domains=(domain,))]
        expect(not any(_is_within(each, domain) for each in came), f"nothing of the blocked {domain}", came)
        both = [each.url for each in self.hits(self.query, allow_domains=(domain,), block_domains=(domain,))]
        expect(not any(_is_within(each, domain) for each in both), f"nothing of {domain}, allowed and blocked", both)

    @check(of=SCORES, harm="the pages that fit best are cut off")
    def test_scores_fall_from_hit_to_hit(self) -> None:
        scores = [each.score for each in self.hits(self.query) if each.score is not None]
        expect(scores == sorted(scores, reverse=True), "the best hit first", scores)

    @check(of=PAGES, harm="a statement of one page is cited as another's")
    def test_pages_come_under_the_addresses_that_were_asked_for(self) -> None:
        urls = [each.url for each in self.hits(self.query, 3)]
        came = self.pages(urls)
        expect(any(each.text.strip() for each in came), "text of at least one page", came)

    @check(of=OWN_ASYNC, harm="several questions at a time get no answer from the web")
    def test_several_asynchronous_calls_run_together(self) -> None:
        async def ask() -> list[list[WebHit]]:
            return list(await asyncio.gather(*(self.part.asearch(self.query, limit=2) for _ in range(3))))

        for came in self.run_async(ask):
            _check_hits(came)

    def hits(self, query: str, limit: int = 5, **domains: Sequence[str]) -> list[WebHit]:
        """Return what is found, of which it is known that it can be read."""
        came = self.part.search(query, limit=limit, **domains)
        _check_hits(came)
        return list(came)

    def pages(self, urls: Sequence[str]) -> list[WebPage]:
        """Return the texts of pages, of which it is known that they were asked for."""
        came = self.part.extract(list(urls))
        _check_pages(came, urls)
        return list(came)


def _check_hits(came: Any) -> None:
    expect(isinstance(came, list), "a list of hits", came)
    for each in came:
        expect(isinstance(each, WebHit), "WebHit values", type(each).__name__)
        is_address = (
            isinstance(each.url, str) and each.url.startswith(("https://", "http://")) and bool(_host(each.url))
        )
        expect(is_address, "an address that begins with https:// or http://", each)
        expect(isinstance(each.title, str) and isinstance(each.snippet, str), "a title and a snippet, text", each)
        is_score = each.score is None or (isinstance(each.score, int | float) and isfinite(each.score))
        expect(is_score, "a finite number as score, or None", each.score)


def _check_pages(came: Any, urls: Sequence[str]) -> None:
    expect(isinstance(came, list), "a list of pages", came)
    for each in came:
        expect(isinstance(each, WebPage) and isinstance(each.text, str), "WebPage values with text", each)
        expect(each.url in urls, f"only pages that were asked for ({list(urls)})", each.url)
