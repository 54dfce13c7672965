"""Runs that are really killed, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

from index_worlds import Clock, World


class DeadlyClock(Clock):
    """Ends the process at a chosen step, without a chance to tidy up."""

    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def sync_and_die(folder: Path, store: str, last: int, batch_size: int, rebuild: bool) -> None:
    world = World(folder, store)
    world.clock.__class__ = DeadlyClock
    world.sync_until(last, batch_size=batch_size, rebuild=rebuild)


def exit_code_of_sync(folder: Path, store: str, last: int, batch_size: int, *, rebuild: bool) -> int | None:
    """Run a sync that is killed after so many steps, and return its process's exit code."""
    context = multiprocessing.get_context("forkserver")  # which loads what is needed once, and opens nothing
    context.set_forkserver_preload(["killed_runs", "langchain_chroma", "obsirag.plugins.chroma_store"])
    process = context.Process(target=sync_and_die, args=(folder, store, last, batch_size, rebuild))
    process.start()
    process.join(120)
    return process.exitcode
