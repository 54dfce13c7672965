"""What was noticed in a vault without stopping the run."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Diagnostic"]


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding about one place in a vault.

    Args:
        path: Vault-relative POSIX path of the note.
        line: 1-based line of the file, or 0 where the finding concerns the whole file.
        code: Stable code, e.g. ``missing-note``; the documentation lists them all.
        message: What was found, and what to do about it.
    """

    path: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code}: {self.message}"
