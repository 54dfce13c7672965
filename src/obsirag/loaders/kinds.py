"""Which reader reads which files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from obsirag.errors import VaultError, reason_of
from obsirag.loaders.limits import MEBIBYTE, Limits
from obsirag.records import LoadedFile

__all__ = ["IMAGE_SUFFIXES", "TEXT_SUFFIXES", "read_file"]

TEXT_SUFFIXES = (
    *(".pdf", ".docx", ".docm", ".pptx", ".pptm", ".xlsx", ".xlsm"),
    *(".html", ".htm", ".xhtml", ".csv", ".tsv"),
)
IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp")

# Named, not imported: each brings a library that only its own files need.
_READERS = {
    **{".docx": "word", ".docm": "word", ".pptx": "slides", ".pptm": "slides", ".xlsx": "sheets", ".xlsm": "sheets"},
    **{".html": "html", ".htm": "html", ".xhtml": "html", ".csv": "csv_table", ".tsv": "csv_table"},
}


def read_file(path: Path, limits: Limits, *, ocr: bool) -> LoadedFile:
    """Return a file as Markdown.

    Args:
        path: The file; the end of its name tells its kind.
        limits: What it may cost.
        ocr: Whether text in images is read.

    Raises:
        VaultError: If it cannot be read; the message holds nothing of its text.
    """
    size = path.stat().st_size
    if size > limits.file_size * MEBIBYTE:
        raise VaultError(f"it has {size // MEBIBYTE:,} MiB, more than `file_size` ({limits.file_size:,} MiB)")
    if not size:
        raise VaultError("it is empty")
    suffix = path.suffix.lower()
    try:
        if suffix == ".pdf" or suffix in IMAGE_SUFFIXES:
            module = import_module("obsirag.loaders.pdf" if suffix == ".pdf" else "obsirag.loaders.images")
            loaded: LoadedFile = module.read(path, limits, ocr=ocr)
        else:
            loaded = import_module(f"obsirag.loaders.{_READERS[suffix]}").read(path, limits)
    except VaultError:
        raise
    except MemoryError as error:
        raise VaultError("it takes more memory than `memory` allows") from error
    except RecursionError as error:
        raise VaultError("it holds things in each other that lie too deep") from error
    except Exception as error:  # several libraries' worth of causes, all of which mean this
        raise VaultError(f"it is broken, or of a sort that cannot be read: {reason_of(error)}") from error
    return loaded
