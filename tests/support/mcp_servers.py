"""`obsirag serve mcp` in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from langgraph_servers import free_port, wait_for
from obsirag import RagConfig

MAIN = "from obsirag.cli import main; main()"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def config_file(config: RagConfig, **more: Any) -> Path:
    """Return a file with the configuration of a small world."""
    file = config.index.parent / f"obsirag{len(more)}.json.yaml"
    settings = {
        "vault": str(config.vault),
        "index": str(config.index),
        "embeddings": "hashing",
        "vector_store": "memory",
        **more,
    }
    file.write_text(json.dumps(settings), encoding="utf-8")
    return file


def command(config: Path, *options: str, code: str = MAIN) -> list[str]:
    """Return the command that serves a configuration."""
    return [sys.executable, "-c", code, "serve", "mcp", "--config", str(config), *options]


@asynccontextmanager
async def stdio_session(config: Path, *options: str, errors: Path | None = None) -> AsyncIterator[Any]:
    """Lend a session of the SDK's own client with a server of its own; ``session.told`` is how it introduced itself."""
    from mcp.client.stdio import stdio_client

    from mcp import ClientSession, StdioServerParameters

    program, *arguments = command(config, *options)
    parameters = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
    with open(errors or os.devnull, "w", encoding="utf-8") as log:  # noqa: PTH123 - os.devnull is no Path everywhere
        async with stdio_client(parameters, errlog=log) as (read, write), ClientSession(read, write) as session:
            session.told = await session.initialize()
            yield session


def heeds_signals() -> None:
    """Let a process end by Ctrl+C, also where the tests themselves run in the background and don't."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def http_server(config: Path, *options: str, errors: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Lend the address of a server over HTTP, and its process."""
    port = free_port()
    with errors.open("wb") as log:
        process = subprocess.Popen(
            command(config, "--http", "--port", str(port), *options),
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            preexec_fn=heeds_signals,
        )
    address = f"http://127.0.0.1:{port}/mcp"
    try:
        wait_for(address, process, errors)
        yield address, process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(20)


@contextmanager
def raw_server(config: Path, *options: str, code: str = MAIN) -> Iterator[subprocess.Popen[bytes]]:
    """Lend a server's process, with which no client has spoken yet."""
    process = subprocess.Popen(
        command(config, *options, code=code),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heeds_signals,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait(20)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):  # what was not sent yet can't be any more
                pipe.close()


def say(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    """Send messages to a server."""
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return the next line that a server says, which has to be a message."""
    return json.loads(process.stdout.readline())
