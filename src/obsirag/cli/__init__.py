"""The command line, thin over the public API. It needs the extra ``cli``."""

from __future__ import annotations

import sys
from importlib.util import find_spec

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    if find_spec("typer") is None or find_spec("rich") is None:
        print(
            "The command line needs packages that are not installed. Install them with: pip install 'obsirag[cli]'",
            file=sys.stderr,
        )
        sys.exit(1)
    from obsirag.cli.app import app

    app()
