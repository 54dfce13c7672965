"""Milvus servers for tests: each started on this machine, and stopped in every case."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

WAYS = ("lite", "lite server", "server")
"""In this process, as a server of its own, and the real server, which takes a while: it needs OBSIRAG_TEST_MILVUS."""

_HEALTH = "http://127.0.0.1:9091/healthz"


@contextmanager
def milvus_running(way: str, folder: Path) -> Iterator[dict[str, str]]:
    """Run Milvus and yield the options that lead to it; skip the test where it cannot run."""
    if find_spec("pymilvus") is None or find_spec("milvus_lite") is None:
        pytest.skip("needs the packages of the extra `milvus`")
    if way == "lite":
        yield {}
    elif way == "lite server":
        with lite_server(folder, free_port()) as uri:
            yield {"uri": uri}
    else:
        if not os.environ.get("OBSIRAG_TEST_MILVUS"):
            pytest.skip("set OBSIRAG_TEST_MILVUS=1 to start the real server")
        if find_spec("milvus") is None:
            pytest.fail("OBSIRAG_TEST_MILVUS needs the package `milvus`, the real server: pip install milvus")
        with real_server(folder) as uri:
            yield {"uri": uri}


@contextmanager
def lite_server(folder: Path, port: int) -> Iterator[str]:
    """Run `milvus-lite server` over a folder."""
    arguments = ["server", "--data-dir", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with _process([sys.executable, "-m", "milvus_lite", *arguments], folder.with_suffix(".log")):
        assert _comes_true(lambda: _listens(port), 30)
        yield f"http://127.0.0.1:{port}"


@contextmanager
def real_server(folder: Path) -> Iterator[str]:
    """Run the real server; one start in three dies, and is tried again. One that somebody runs is not written to."""
    if _is_healthy():
        pytest.fail("a server of Milvus runs on 127.0.0.1:19530 already, and may be somebody's: stop it first")
    code = "import milvus; milvus.main()"
    for attempt in range(4):
        data = folder.with_name(f"{folder.name}-{attempt}")
        with _process([sys.executable, "-c", code, "--data", str(data)], data.with_suffix(".log")):
            if _comes_true(_is_healthy, 40):
                yield "http://127.0.0.1:19530"
                return
    pytest.fail("the real server didn't start, though OBSIRAG_TEST_MILVUS asks for it")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def _process(command: list[str], log: Path) -> Iterator[None]:
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)


def _comes_true(holds: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.2)
    return False


def _listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def _is_healthy() -> bool:
    try:
        with urllib.request.urlopen(_HEALTH, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
