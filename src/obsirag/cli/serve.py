"""``obsirag serve``."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from obsirag.cli.printing import complain
from obsirag.cli.settle import ConfigFile, IndexFolder, Labels, PresetName, VaultFolder, settle_config

__all__ = ["serve_app"]

INTERRUPTED = 130
"""What shells give a program that was stopped from the keyboard: 128 + the signal's number."""

LOCAL = ("127.0.0.1", "localhost", "::1")

serve_app = typer.Typer(no_args_is_help=True, help="Serve the notes to other programs.")


@serve_app.callback()
def serve() -> None:
    """Serve the notes to other programs."""


@serve_app.command("mcp")
def serve_mcp(
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    label: Labels = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, at /mcp, rather than over standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="With --http: the address to listen on.")] = LOCAL[0],
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="With --http: the port.")] = 8000,
) -> None:
    """Serve the notes over MCP: search them, read one, ask a question.

    Clients read with the labels that are given here, and can't give themselves any. A question that a person would have
    to look at is not answered.
    """
    from obsirag.mcp import serve_http, serve_stdio

    settings = settle_config(vault, index, config, preset=preset)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        if not http:
            serve_stdio(settings, labels=label or [])
            return
        if host not in LOCAL:
            complain(
                f"Listening on {host}: whoever reaches it can read the notes, unless something before it asks who."
            )
        complain(f"Serving at http://{host}:{port}/mcp; Ctrl-C ends it.")
        serve_http(settings, labels=label or [], host=host, port=port)
    except KeyboardInterrupt as error:
        raise typer.Exit(INTERRUPTED) from error  # there is nothing to go on with
