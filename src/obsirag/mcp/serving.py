"""Serving over standard input and output, and over HTTP."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import anyio

from obsirag.mcp.server import NotesServer
from obsirag.retrievers.deadlines import in_thread

if TYPE_CHECKING:
    from obsirag.components import Components
    from obsirag.config import RagConfig

__all__ = ["serve_http", "serve_stdio"]

_SECONDS_TO_END = 3
_BLOCK = 65_536


def serve_stdio(config: RagConfig, *, labels: Collection[str] = (), components: Components | None = None) -> None:
    """Serve one client over standard input and output until it closes them, or Ctrl-C.

    Whatever else is printed meanwhile, by whatever library, goes to standard error.

    Args:
        config: The configuration.
        labels: The permission labels that the client reads with.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If the labels are no strings, or every question would wait for a person who can't be asked.
        MissingExtraError: If MCP's package isn't installed.
    """
    server = NotesServer(config, labels=labels, components=components)
    with _protocol_alone() as output:
        anyio.run(_serve_stdio, server, output)


async def _serve_stdio(server: NotesServer, output: io.TextIOWrapper) -> None:
    from mcp.server.stdio import stdio_server

    protocol = server._mcp_server  # FastMCP's own way offers no other output
    lines = cast("anyio.AsyncFile[str]", _lines_of_input())  # of a file, nothing but its lines is asked for
    try:
        async with stdio_server(stdin=lines, stdout=anyio.wrap_file(output)) as (incoming, outgoing):
            await protocol.run(incoming, outgoing, protocol.create_initialization_options())
    except* (anyio.ClosedResourceError, anyio.BrokenResourceError, BrokenPipeError):
        pass  # the client is gone, and doesn't wait for what it asked for


async def _lines_of_input() -> AsyncIterator[str]:
    """Yield the lines of standard input; a read that still waits holds up nobody who leaves the program."""
    begun: list[bytes] = []  # the pieces of a line that hasn't ended, joined once: it may be long
    while read := await in_thread(os.read, 0, _BLOCK):
        first, *others = read.split(b"\n")
        begun.append(first)
        for piece in others:
            yield b"".join(begun).decode("utf-8", "replace")
            begun = [piece]
    if rest := b"".join(begun):
        yield rest.decode("utf-8", "replace")


@contextmanager
def _protocol_alone() -> Iterator[io.TextIOWrapper]:
    """Lend standard output, which for anybody else leads to standard error meanwhile."""
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    before, sys.stdout = sys.stdout, sys.stderr
    try:
        with os.fdopen(own, "w", encoding="utf-8", newline="\n", closefd=False) as output:
            yield output
    finally:
        sys.stdout = before
        os.dup2(own, 1)
        os.close(own)


def serve_http(
    config: RagConfig,
    *,
    labels: Collection[str] = (),
    components: Components | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
) -> None:
    """Serve clients over streamable HTTP, at ``/mcp``, until Ctrl-C.

    All of them read with the same labels, and none has to say who it is.

    Args:
        config: The configuration.
        labels: The permission labels that all clients read with.
        components: Ready parts, instead of those that the configuration describes.
        host: The address to listen on. On the machine's own, only requests to that are answered, so that no page in a
            browser can pass its own off for it.
        port: The port.

    Raises:
        ConfigError: If the labels are no strings, or every question would wait for a person who can't be asked.
        MissingExtraError: If MCP's package isn't installed.
    """
    import uvicorn

    # Nothing is sent between calls: without sessions, a client that is gone leaves nothing behind.
    server = NotesServer(
        config, labels=labels, components=components, host=host, port=port, stateless_http=True, json_response=True
    )
    settings = uvicorn.Config(
        server.streamable_http_app(),
        host=host,
        port=port,
        log_config=None,
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    uvicorn.Server(settings).run()
