"""LangGraph's server in a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

_SECONDS_TO_START = 90


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def langgraph_server(folder: Path, **environment: str) -> Iterator[str]:
    """Lend the address of a server over the ``langgraph.json`` of a folder."""
    port = free_port()
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                *(Path(sys.executable).with_name("langgraph"), "dev", "--no-browser", "--no-reload"),
                *("--host", "127.0.0.1", "--port", str(port)),
            ],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env={**os.environ, "LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false", **environment},
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/ok", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(20)


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until something answers at an address.

    Raises:
        AssertionError: If the process ends before, or nothing does in time.
    """
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(address, timeout=5):
                return
        except HTTPError:
            return  # that is an answer too
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(log.read_text("utf-8", "replace")[-4000:])
