"""What the owner of a vault leaves out, in gitignore syntax."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pathspec import GitIgnoreSpec

from obsirag.errors import VaultError

__all__ = ["compile_ignore"]

# A backslash only ever makes a special character plain: before a letter, or between a name and a star, it was meant as
# a separator of Windows, and the pattern would silently leave in what it should keep out.
_WINDOWS_SEPARATOR = re.compile(r"(?<!\\)(?:\\\\)*\\(?:\w|\Z)|\w\\\*|\A[A-Za-z]:\\")


def compile_ignore(patterns: Sequence[str]) -> GitIgnoreSpec:
    """Return ``patterns``, in gitignore syntax, ready for matching paths in Unicode form NFC.

    A pattern of several lines is several patterns.

    Raises:
        VaultError: If a pattern cannot be read.
    """
    normal = [unicodedata.normalize("NFC", line) for pattern in patterns for line in pattern.split("\n")]
    for pattern in normal:
        if not pattern.startswith("#") and _WINDOWS_SEPARATOR.search(pattern):
            raise VaultError(f"ignore pattern {pattern!r} has a backslash between folders; write / instead")
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise VaultError(f"ignore pattern {pattern!r} is not valid gitignore syntax: {error}") from error
    return GitIgnoreSpec.from_lines(normal)
