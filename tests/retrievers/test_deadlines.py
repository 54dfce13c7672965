from __future__ import annotations

from contextvars import ContextVar
from threading import Event, current_thread, main_thread

import pytest

from obsirag.retrievers.deadlines import call_within


def test_what_is_done_in_time_is_returned_or_raised() -> None:
    assert call_within(60, lambda: 7) == 7
    for error in (KeyError("x"), SystemExit(3)):

        def fail(error: BaseException = error) -> None:
            raise error

        with pytest.raises(type(error)):
            call_within(60, fail)


def test_what_takes_too_long_is_left_alone() -> None:
    released, ended = Event(), Event()

    def wait() -> None:
        released.wait()
        ended.set()

    with pytest.raises(TimeoutError):
        call_within(0.01, wait)
    released.set()
    assert ended.wait(60)


def test_it_sees_the_callers_context_and_keeps_nobody_from_leaving() -> None:
    variable = ContextVar("variable", default="")
    variable.set("here")
    assert call_within(60, lambda: (variable.get(), current_thread().daemon)) == ("here", True)
    assert call_within(60, current_thread) is not main_thread()
