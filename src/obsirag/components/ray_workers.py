"""Ray workers that outlive their processes: one that dies is replaced, and what it was asked is asked again."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayError, RayTaskError

from obsirag.components.ray_worker import Job, Reply, Worker
from obsirag.errors import ConfigError, ServiceError, reason_of

__all__ = ["Asked", "Workers"]

_TRIES = 3
"""How often a worker may die over the same question."""

_PATIENCE = 300.0
"""Seconds to wait for the first worker: its process and its model."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Process:
    """A worker's process.

    Args:
        actor: Ray's handle.
        started: Comes when it is ready.
        under_way: Number of questions that it has not answered, or whose answers were not taken.
        is_ready: Whether ``started`` has come.
    """

    actor: Any
    started: Any
    under_way: int = 0
    is_ready: bool = False


class Asked(NamedTuple):
    """A question that is under way."""

    method: str
    arguments: tuple[Any, ...]
    process: _Process
    answer: Any


class Workers:
    """Some workers for one job; any thread may ask them.

    Args:
        job: What they need to know.
        count: Number of processes.
        calls: Most calls to the embedding model at a time in each.
    """

    def __init__(self, job: Job, count: int, calls: int) -> None:
        # Notes are looked at by one thread, so that a vault and a splitter need not know of others.
        groups = {"examine": 1, "embed": calls, "start": 1}
        remote: Any = ray.remote  # its types know no groups
        self._class = remote(max_restarts=0, max_task_retries=0, concurrency_groups=groups)(Worker)
        self._job = ray.put(job)
        self._lock = Lock()
        self._processes = [self._start() for _ in range(count)]
        first = [each.started for each in self._processes]
        if not ray.wait(first, num_returns=1, timeout=_PATIENCE)[0]:
            self.close()
            raise ServiceError(
                f"No Ray worker was ready after {_PATIENCE:.0f} seconds. Has the cluster a processor free for each of "
                f"{count} workers (`ray status`)? Else lower `indexing.workers`."
            )

    def ask(self, method: str, *arguments: Any) -> Asked:
        """Give a question to the worker that has least to do."""
        with self._lock:
            return self._ask(method, arguments)

    def answer(self, asked: Asked) -> Any:
        """Wait for an answer.

        Raises:
            ConfigError: If the worker cannot do anything as it, or its machine, is set up.
            ServiceError: If it failed, or if worker after worker died over the question.
        """
        died = ""
        for tried in range(1, _TRIES + 1):
            try:
                reply: Reply = ray.get(asked.answer)
            except RayTaskError as error:  # a worker answers errors, it doesn't raise them, once it runs at all
                raise ConfigError(
                    f"A Ray worker could not run obsirag ({reason_of(error)}). Is the same version of it, and of "
                    "Python, on all machines?"
                ) from error
            except RayError as error:
                died = type(error).__name__
                _log.warning("A Ray worker died (%s); what it was at is done again by another one", died)
                with self._lock:
                    self._replace(asked.process)
                    if tried < _TRIES:
                        asked = self._ask(asked.method, asked.arguments)
            else:
                self._answered(asked)
                return _value(reply)
        raise ServiceError(f"{_TRIES} Ray workers died over it ({died}). Has a machine too little memory?")

    def close(self) -> None:
        """End the processes; Ray itself stays up as long as this process."""
        with self._lock:
            for each in self._processes:
                ray.kill(each.actor)
            self._processes = []

    def _start(self) -> _Process:
        actor = self._class.remote(self._job)
        return _Process(actor, actor.start.options(concurrency_group="start").remote())

    def _ask(self, method: str, arguments: tuple[Any, ...]) -> Asked:
        process = min(self._processes, key=lambda each: (not _is_ready(each), each.under_way))
        process.under_way += 1
        call = getattr(process.actor, method).options(concurrency_group=method)
        return Asked(method, arguments, process, call.remote(*arguments))

    def _replace(self, process: _Process) -> None:
        """Start another process in the place of a dead one, unless that was done already."""
        if process in self._processes:
            ray.kill(process.actor)  # it may only be out of reach
            self._processes[self._processes.index(process)] = self._start()

    def _answered(self, asked: Asked) -> None:
        with self._lock:
            asked.process.under_way -= 1


def _is_ready(process: _Process) -> bool:
    if not process.is_ready:
        process.is_ready = bool(ray.wait([process.started], timeout=0)[0])
    return process.is_ready


def _value(reply: Reply) -> Any:
    if reply.is_unfit:
        raise ConfigError(reply.cause)
    if reply.cause:
        raise ServiceError(reply.cause)
    return reply.value
