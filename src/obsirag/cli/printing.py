"""Printing text that somebody else wrote."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.text import Text

__all__ = [
    "OutputError",
    "complain",
    "finish_output",
    "one_line",
    "output",
    "plain",
    "print_exactly",
    "print_json",
    "print_line",
    "print_lines",
    "print_piece",
    "show_place",
]

# Control characters that JSON leaves as they are, those that turn the direction of writing, and halves of characters.
_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class OutputError(OSError):
    """Standard output cannot be written."""


def output() -> Console:
    """Return the console for results: made for each call, since standard output may have been replaced."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def plain(text: str) -> str:
    """Return ``text`` without control characters: a note must not steer the terminal it is shown in."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)


def one_line(text: str) -> str:
    """Return ``text`` as ``plain`` does, and on one line: a file's name must not look like a line of a list."""
    return plain(text).translate(dict.fromkeys((0x09, 0x0A), "\N{REPLACEMENT CHARACTER}"))


def print_exactly(text: str) -> None:
    """Print ``text`` byte for byte where it is piped on; on a terminal without control characters."""
    if sys.stdout is None:
        return  # it was closed before the program began
    if sys.stdout.isatty():
        print_line(text.replace("\r\n", "\n").replace("\r", "\n"))
        return
    with _writing():
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()


def print_line(text: str = "", style: str = "") -> None:
    """Print ``text`` as it is, without reading marks in it."""
    print_lines([(text, style)])


def print_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Print lines, each with its style, as ``print_line`` does; of one console, since there may be thousands."""
    console = output()
    for text, style in lines:
        with _writing():
            console.print(Text(plain(text), style=style))


def print_piece(text: str) -> None:
    """Print a part of a text that goes on, at once."""
    if sys.stdout is None:
        return
    with _writing():
        sys.stdout.write(plain(text))
        sys.stdout.flush()


def print_json(value: Any) -> None:
    """Print ``value`` as JSON and nothing else, whatever the terminal is like, which it cannot steer either."""
    text = json.dumps(_finite(value), ensure_ascii=False, indent=2, default=str, allow_nan=False)
    if sys.stdout is None:
        return
    with _writing():
        sys.stdout.write(_STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n")


def _finite(value: Any) -> Any:
    """Return ``value`` with null for the numbers that JSON doesn't know; front matters may hold them."""
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finish_output() -> None:
    """Write out what still waits to be written.

    Raises:
        OutputError: If it cannot be; standard output leads nowhere then, so that Python doesn't try again as it ends.
    """
    if sys.stdout is None:
        return
    try:
        with _writing():
            sys.stdout.flush()
    except OutputError:
        with suppress(OSError, ValueError):  # no file: then there is nothing to try again
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        raise


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(error.errno, error.strerror) from error


def complain(message: str) -> None:
    """Print a message where errors belong."""
    Console(file=sys.stderr, highlight=False, soft_wrap=True).print(Text(plain(message), style="red"))


def show_place(title: str, headings: Sequence[str], source: str, start_line: int, end_line: int, part: str = "") -> str:
    """Return a place in a note on one line: what it is called, and where it is."""
    names = " > ".join([title, *(heading for heading in headings if heading != title)])
    if part:  # lines of a file that was made into Markdown are nobody's
        return f"{names}  ({source}, {part})"
    lines = f":{start_line}-{end_line}" if end_line > start_line else f":{start_line}" if start_line else ""
    return f"{names}  ({source}{lines})"
