"""Plain text files as notes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from obsirag.config import ConfigModel
from obsirag.errors import VaultError
from obsirag.plugins.markers import hookimpl
from obsirag.records import LoadedFile
from obsirag.vault.decoding import decode

__all__ = ["TextFiles", "TextOptions", "loader"]

_Suffix = Annotated[str, StringConstraints(strict=True, pattern=r"^\.[^/A-Z]+$")]


class TextOptions(ConfigModel):
    """What can be set for ``text``."""

    suffixes: tuple[_Suffix, ...] = Field(
        default=(".txt",), min_length=1, description="The ends of the names of the files that are plain text."
    )


@dataclass(frozen=True, slots=True)
class TextFiles:
    """Reads plain text, in the encodings that notes may have."""

    suffixes: Collection[str]

    def load(self, path: Path) -> LoadedFile:
        """Return a file's text, character for character."""
        try:
            return LoadedFile(decode(path.read_bytes()))
        except UnicodeDecodeError as error:
            where = f"not valid {error.encoding} at byte {error.start} ({error.reason})"
            raise VaultError(f"{where}; save the file as UTF-8") from error
        except OSError as error:
            raise VaultError(f"file cannot be read: {error.strerror or type(error).__name__}") from error


@hookimpl
def loader(options: dict[str, Any]) -> TextFiles:
    """Make a loader of plain text."""
    return TextFiles(TextOptions.parse(options, place="loader (text)").suffixes)
