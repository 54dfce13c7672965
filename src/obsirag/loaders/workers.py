"""Worker processes, kept for the next file, and ended when one doesn't answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import weakref
from dataclasses import asdict
from pathlib import Path
from typing import Any

from obsirag.errors import VaultError
from obsirag.loaders.limits import Limits
from obsirag.records import FilePart, LoadedFile

__all__ = ["Workers"]

_MOST_FILES = 100
"""After so many a process is replaced, since libraries keep memory."""

_GRACE = 5.0
"""Seconds beyond the limit for a worker that leaves out what would come too late, and for its start."""


class Workers:
    """As many processes as threads ask for at a time.

    Args:
        limits: What a file may cost.
        ocr: Whether text in images is read.
    """

    def __init__(self, limits: Limits, *, ocr: bool) -> None:
        self._limits = limits
        self._ocr = ocr
        self._idle: list[_Worker] = []
        weakref.finalize(self, _close_all, self._idle)

    def load(self, path: Path) -> LoadedFile:
        """Return a file as Markdown.

        Raises:
            VaultError: If it cannot be read, or costs more than it may.
        """
        try:
            worker = self._idle.pop()  # one step, which no other thread comes between
        except IndexError:
            worker = _Worker()
        request = {"path": str(path.absolute()), "limits": asdict(self._limits), "ocr": self._ocr}
        try:
            answer = worker.ask(request, self._limits.seconds + _GRACE)
        except BaseException:
            worker.close()
            raise
        if worker.answered < _MOST_FILES:
            self._idle.append(worker)
        else:
            worker.close()
        if fault := answer.get("fault"):
            raise VaultError(fault)
        parts = tuple(FilePart(**part) for part in answer["parts"])
        return LoadedFile(answer["text"], answer["metadata"], parts, tuple(answer["findings"]))


class _Worker:
    """One process."""

    def __init__(self) -> None:
        # Without the working folder among the places to import from: it may be anybody's.
        paths = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "obsirag.loaders.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self.answered = 0

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a request.

        Raises:
            VaultError: If it takes too long, or the process ends.
        """
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            self._process.kill()

        watch = threading.Timer(seconds, end)
        watch.daemon = True
        watch.start()
        try:
            assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101, PT018 - for mypy
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            answer: dict[str, Any] = json.loads(line)
        except (OSError, ValueError) as error:
            if is_late.is_set():
                raise VaultError(f"it took longer than `seconds` ({seconds - _GRACE:g}) and was given up") from error
            raise VaultError("its reader broke down; it may be broken, or take more memory than `memory`") from error
        finally:
            watch.cancel()
        self.answered += 1
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue


def _close_all(workers: list[_Worker]) -> None:
    while workers:
        workers.pop().close()
