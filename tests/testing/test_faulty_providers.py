"""Faults that are planted into a provider of web search, each with the check that has to find it."""

import asyncio
from threading import get_ident

import pytest

from obsirag.errors import ServiceError
from obsirag.retrievers import WebHit, WebPage
from obsirag.testing import FakeSearch, SearchProviderConformance, run_conformance
from planted import assert_caught
from sample_parts import HITS, PAGES


class Search(FakeSearch):
    def __init__(self):
        super().__init__(HITS, pages=PAGES)


class RaisesOnNothingFound(Search):
    def search(self, query, **kwargs):
        if not (found := super().search(query, **kwargs)):
            raise ServiceError("no results")
        return found


class GivesNoneForNothing(Search):
    def search(self, query, **kwargs):
        return super().search(query, **kwargs) or None


class ReturnsBlockedDomains(Search):
    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        return super().search(query, limit=limit, allow_domains=allow_domains)


class HasHitsWithoutAddress(Search):
    def search(self, query, **kwargs):
        return [*super().search(query, **kwargs)[:1], WebHit("", "A page", "Text.")]


class HasAddressesWithoutScheme(Search):
    def search(self, query, **kwargs):
        return [each._replace(url=each.url.removeprefix("https://")) for each in super().search(query, **kwargs)]


class GivesDictionaries(Search):
    def search(self, query, **kwargs):
        return [each._asdict() for each in super().search(query, **kwargs)]


class HasNoTitles(Search):
    def search(self, query, **kwargs):
        return [each._replace(title=None) for each in super().search(query, **kwargs)]


class GivesMoreThanAsked(Search):
    def search(self, query, *, limit, **kwargs):
        return super().search(query, limit=20, **kwargs)


class TheWorstFirst(Search):
    def search(self, query, **kwargs):
        return super().search(query, **kwargs)[::-1]


class ScoresThatAreNone(Search):
    def search(self, query, **kwargs):
        return [each._replace(score=float("nan")) for each in super().search(query, **kwargs)]


class StumblesOverQuotes(Search):
    def search(self, query, **kwargs):
        if '"' in query:
            raise ValueError("unbalanced quotes")
        return super().search(query, **kwargs)


class OneUnreadablePageCostsAll(Search):
    def extract(self, urls):
        if any(url not in PAGES for url in urls):
            raise ServiceError("a page cannot be read")
        return super().extract(urls)


class EmptyPagesForUnreadableOnes(Search):
    def extract(self, urls):
        return [WebPage(url, PAGES.get(url, "")) for url in urls]


class PagesUnderOtherAddresses(Search):
    def extract(self, urls):
        return [each._replace(url=f"{each.url}?utm_source=x") for each in super().extract(urls)]


class NoAsynchronousSearch(Search):
    async def asearch(self, *args, **kwargs):
        raise NotImplementedError


class OneAsynchronousSearchAtATime(Search):
    busy = False

    async def asearch(self, *args, **kwargs):
        if self.busy:
            raise RuntimeError("a session is in use")
        self.busy = True
        await asyncio.sleep(0.01)
        self.busy = False
        return self.search(*args, **kwargs)


class IsBoundToAThread(Search):
    def __init__(self):
        super().__init__()
        self.thread = get_ident()

    def search(self, query, **kwargs):
        if get_ident() != self.thread:
            raise RuntimeError("the session belongs to another thread")
        return super().search(query, **kwargs)


PROVIDERS = {
    RaisesOnNothingFound: "test_finding_nothing_is_no_error",
    GivesNoneForNothing: "test_finding_nothing_is_no_error",
    ReturnsBlockedDomains: "test_blocked_domains_stay_out",
    HasHitsWithoutAddress: "test_hits_have_an_address_a_title_and_a_snippet",
    HasAddressesWithoutScheme: "test_hits_have_an_address_a_title_and_a_snippet",
    GivesDictionaries: "test_hits_have_an_address_a_title_and_a_snippet",
    HasNoTitles: "test_hits_have_an_address_a_title_and_a_snippet",
    GivesMoreThanAsked: "test_no_more_hits_come_than_were_asked_for",
    TheWorstFirst: "test_scores_fall_from_hit_to_hit",
    ScoresThatAreNone: "test_hits_have_an_address_a_title_and_a_snippet",
    StumblesOverQuotes: "test_hard_queries_are_taken",
    OneUnreadablePageCostsAll: "test_pages_that_cannot_be_read_are_left_out",
    EmptyPagesForUnreadableOnes: "test_pages_that_cannot_be_read_are_left_out",
    PagesUnderOtherAddresses: "test_asynchronous_calls_give_hits_and_pages",
    NoAsynchronousSearch: "test_asynchronous_calls_give_hits_and_pages",
    OneAsynchronousSearchAtATime: "test_several_asynchronous_calls_run_together",
    IsBoundToAThread: "test_several_threads_may_ask",
}


def kit(made):
    return type(made.__name__, (SearchProviderConformance,), {"make": lambda *_: made()})


def test_without_a_fault_it_conforms():
    assert run_conformance(kit(Search)).conforms


@pytest.mark.parametrize(("fault", "check"), PROVIDERS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_planted_fault_is_caught(fault, check):
    assert_caught(kit(fault), check)


def test_lists_of_domains_that_are_ignored_are_no_fault_but_told():
    class Ignores(Search):
        def search(self, query, *, limit, allow_domains=(), block_domains=()):
            return super().search(query, limit=limit)

    report = run_conformance(kit(Ignores))
    assert report.conforms
    assert "- domain lists" in str(report)
    assert "thrown away after they were found" in str(report)
