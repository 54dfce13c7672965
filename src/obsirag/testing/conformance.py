"""What all conformance classes share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from typing import Any, ClassVar, TypeVar

__all__ = ["Conformance"]

Result = TypeVar("Result")
_PATIENCE = 60.0
THREADS = 4


class Conformance:
    """Checks of one kind of part. A subclass says how the part is made, and is a test class of pytest as it stands.

    pytest makes an instance for each check, and calls :meth:`teardown_method` after it. A subclass may use fixtures of
    its own, such as one with ``autouse`` that starts a server.
    """

    kind: ClassVar[str]
    """The kind, by the name of its hook."""
    needs_fresh_parts: ClassVar[bool] = False
    """Whether each check needs a part that nothing was written to."""

    @cached_property
    def folder(self) -> Path:
        """A folder of this instance's own, which goes with it."""
        return Path(self._closing.enter_context(TemporaryDirectory(prefix="obsirag-", ignore_cleanup_errors=True)))

    def reach(self) -> None:
        """Make the part and ask it something small, so that a service that isn't there shows before the checks."""
        raise NotImplementedError

    def run_async(self, call: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Return what a coroutine function returns; all of an instance run in one event loop."""
        runner = self._runner
        # In a thread of its own, because the caller's may be running an event loop already.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: runner.run(call())).result(_PATIENCE)

    @staticmethod
    def side_by_side(calls: Sequence[Callable[[], Result]]) -> list[Result]:
        """Return what calls return that run at the same time, each in a thread of its own."""
        together = Barrier(len(calls))

        def run(call: Callable[[], Result]) -> Result:
            together.wait(_PATIENCE)
            return call()

        with ThreadPoolExecutor(len(calls)) as pool:
            return [each.result(_PATIENCE) for each in [pool.submit(run, call) for call in calls]]

    def teardown_method(self) -> None:
        """Let go of what the checks opened; pytest calls it by this name."""
        self._closing.close()

    @cached_property
    def _closing(self) -> ExitStack:
        return ExitStack()

    @cached_property
    def _runner(self) -> asyncio.Runner:
        return self._closing.enter_context(asyncio.Runner())
