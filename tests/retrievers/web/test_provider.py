"""A provider that only blocks, asked without blocking."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from obsirag.retrievers import SearchError, WebHit, WebPage, WebSearch, WebSearchProvider

HIT = WebHit("https://example.org/", "A page", "A snippet.")
PAGE = WebPage("https://example.org/", "Its text.")


class Blocking(WebSearchProvider):
    """Does for each call what it was made with, and then gives something."""

    def __init__(self, act=lambda: None):
        self._act = act

    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        self._act()
        yield HIT

    def extract(self, urls):
        self._act()
        return [PAGE]


def raises(error):
    def act():
        raise error

    return act


async def test_it_gives_the_same_from_another_thread_in_the_callers_context():
    variable = ContextVar("variable", default="")
    variable.set("here")
    seen = []
    provider = Blocking(lambda: seen.append((variable.get(), threading.current_thread())))
    assert await provider.asearch("question", limit=1) == [HIT]
    assert await provider.aextract([HIT.url]) == [PAGE]
    assert {value for value, _ in seen} == {"here"}
    assert threading.main_thread() not in {thread for _, thread in seen}


@pytest.mark.parametrize("error", [StopIteration(), ConnectionError(), asyncio.CancelledError()], ids=repr)
async def test_what_it_raises_is_a_failure_at_once(error):
    class Failing(Blocking):
        def search(self, query, **_):
            raise error

    web = WebSearch(Failing(raises(error)), timeout=60)
    found = await WebSearch(Blocking()).asearch("question")
    async with asyncio.timeout(30):
        with pytest.raises(SearchError):
            await web.asearch("question")
        with pytest.raises(SearchError):
            await web.aextract(found)


def test_a_call_that_was_given_up_keeps_nobody_from_leaving():
    released, waiting = threading.Event(), []

    def wait():
        waiting.append(threading.current_thread())
        released.wait(20)

    web = WebSearch(Blocking(wait), timeout=0.05)
    found = WebSearch(Blocking()).search("question")
    for call in (web.asearch("question"), web.aextract(found)):
        with pytest.raises(SearchError, match="no answer within"):
            asyncio.run(call)
    assert [(thread.is_alive(), thread.daemon) for thread in waiting] == [(True, True)] * 2
    released.set()
    for thread in waiting:  # whose results come to nobody, and are no error
        thread.join()
