"""The command line, thin over the public API. It needs the extra ``cli``."""

from __future__ import annotations

import sys
from errno import EPIPE
from importlib.util import find_spec
from io import TextIOWrapper

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    if find_spec("typer") is None or find_spec("rich") is None:
        print(
            "The command line needs packages that are not installed. Install them with: pip install 'obsirag[cli]'",
            file=sys.stderr,
        )
        sys.exit(1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # notes hold characters that not every terminal can show
    from obsirag.cli.app import app
    from obsirag.cli.printing import OutputError, complain, finish_output

    try:
        try:
            app()
        finally:
            finish_output()
    except OutputError as error:
        if error.errno != EPIPE:  # else whoever read it has seen enough
            complain(f"Error: standard output cannot be written: {error.strerror}")
        sys.exit(1)
