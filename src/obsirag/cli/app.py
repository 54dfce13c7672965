"""The commands together, and the one place where errors become messages."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from obsirag._version import installed_version
from obsirag.cli.ask import ask
from obsirag.cli.chat import chat
from obsirag.cli.check import check
from obsirag.cli.chunks import chunks
from obsirag.cli.config import show_config
from obsirag.cli.conformance import conformance
from obsirag.cli.draft_questions import draft_questions
from obsirag.cli.eval import evaluate
from obsirag.cli.feedback import feedback_app
from obsirag.cli.graph import graph
from obsirag.cli.index import index
from obsirag.cli.plugins import plugins
from obsirag.cli.printing import complain, print_line
from obsirag.cli.rebuild import drop, rebuild
from obsirag.cli.render import render
from obsirag.cli.replay import replay
from obsirag.cli.search import search
from obsirag.cli.serve import INTERRUPTED, serve_app
from obsirag.cli.status import status
from obsirag.cli.trace import trace_app
from obsirag.components import HashingFallbackWarning
from obsirag.errors import ObsiragError

__all__ = ["app"]


class ErrorBoundary(TyperGroup):
    """Runs a command; what obsirag raises on purpose is one message, anything else is a bug and keeps its traceback."""

    def invoke(self, ctx: Any) -> Any:
        with warnings.catch_warnings():
            # Meant for the person at the keyboard, whatever Python is told to do with other warnings.
            warnings.simplefilter("default", HashingFallbackWarning)
            warnings.showwarning = lambda message, *_, **__: complain(f"Warning: {message}")
            try:
                return super().invoke(ctx)
            except ObsiragError as error:
                complain(f"Error: {error}")
                raise typer.Exit(1) from error
            except KeyboardInterrupt as error:
                complain("Stopped. What was finished is kept; run the same command again to go on.")
                raise typer.Exit(INTERRUPTED) from error


app = typer.Typer(
    cls=ErrorBoundary,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    """Print the version, and leave."""
    if wanted:
        print_line(f"obsirag {installed_version()}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Ask questions of an Obsidian vault, and get answers that cite its notes.

    Each command takes a vault, or a configuration file with --config; without either, it looks for obsirag.yaml,
    obsirag.yml or obsirag.toml in the working directory.
    """


for command in (index, status, rebuild, drop, ask, chat, search, check, render, chunks, plugins, graph, replay):
    app.command()(command)
app.command()(conformance)
app.command("eval")(evaluate)
app.command("config")(show_config)
app.command("draft-questions")(draft_questions)
app.add_typer(serve_app, name="serve")
app.add_typer(trace_app, name="trace")
app.add_typer(feedback_app, name="feedback")
