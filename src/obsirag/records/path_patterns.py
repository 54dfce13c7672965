"""Patterns for paths in gitignore syntax, as people write them into settings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pathspec import GitIgnoreSpec

__all__ = ["compile_patterns"]

# A backslash only ever makes a special character plain: before a letter, or between a name and a star, it was meant as
# a separator of Windows, and the pattern would silently match nothing of what it should.
_WINDOWS_SEPARATOR = re.compile(r"(?<!\\)(?:\\\\)*\\(?:\w|\Z)|\w\\\*|\A[A-Za-z]:\\")


def compile_patterns(patterns: Sequence[str], *, must_match: bool = False) -> GitIgnoreSpec:
    """Return ``patterns``, in gitignore syntax, ready for matching paths in Unicode form NFC.

    A pattern of several lines is several patterns.

    Args:
        patterns: The patterns; of those that match a path, the last one decides.
        must_match: Whether patterns that can never match, such as comments alone, are a fault.

    Raises:
        ValueError: If a pattern cannot be read; the message begins with ``pattern``.
    """
    normal = [unicodedata.normalize("NFC", line) for pattern in patterns for line in pattern.split("\n")]
    for pattern in normal:
        if not pattern.startswith("#") and _WINDOWS_SEPARATOR.search(pattern):
            raise ValueError(f"pattern {pattern!r} has a backslash between folders; write / instead")
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise ValueError(f"pattern {pattern!r} is not valid gitignore syntax: {error}") from error
    spec = GitIgnoreSpec.from_lines(normal)
    if must_match and not any(pattern.include for pattern in spec.patterns):
        shown = ", ".join(map(repr, normal))
        raise ValueError(f"pattern {shown} can match no path: it is empty, a comment, a `!`, or has an open `[`")
    return spec
