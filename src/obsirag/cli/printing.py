"""Printing text that somebody else wrote."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

__all__ = ["complain", "output", "plain", "print_json", "print_line", "show_place"]


def output() -> Console:
    """Return the console for results: made for each call, since standard output may have been replaced."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def plain(text: str) -> str:
    """Return ``text`` without control characters: a note must not steer the terminal it is shown in."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)


def print_line(text: str = "", style: str = "") -> None:
    """Print ``text`` as it is, without reading marks in it."""
    output().print(Text(plain(text), style=style))


def print_json(value: Any) -> None:
    """Print ``value`` as JSON and nothing else, whatever the terminal is like."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def complain(message: str) -> None:
    """Print a message where errors belong."""
    Console(file=sys.stderr, highlight=False, soft_wrap=True).print(Text(plain(message), style="red"))


def show_place(title: str, headings: Sequence[str], source: str, start_line: int, end_line: int) -> str:
    """Return a place in a note on one line: what it is called, and where it is."""
    names = " > ".join([title, *(heading for heading in headings if heading != title)])
    lines = f":{start_line}-{end_line}" if end_line > start_line else f":{start_line}" if start_line else ""
    return f"{names}  ({source}{lines})"
