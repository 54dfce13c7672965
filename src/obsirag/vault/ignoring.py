"""What the owner of a vault leaves out, in gitignore syntax."""

from __future__ import annotations

from collections.abc import Sequence

from pathspec import GitIgnoreSpec

from obsirag.errors import VaultError
from obsirag.records.path_patterns import compile_patterns

__all__ = ["compile_ignore"]


def compile_ignore(patterns: Sequence[str]) -> GitIgnoreSpec:
    """Return ``patterns``, in gitignore syntax, ready for matching paths in Unicode form NFC.

    A pattern of several lines is several patterns.

    Raises:
        VaultError: If a pattern cannot be read.
    """
    try:
        return compile_patterns(patterns)
    except ValueError as error:
        raise VaultError(f"ignore {error}") from error
