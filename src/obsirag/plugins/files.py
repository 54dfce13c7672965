"""PDF, Word, PowerPoint, Excel, HTML and CSV files, and images by OCR, as notes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from obsirag.config import ConfigModel
from obsirag.errors import MissingExtraError
from obsirag.loaders import FileLoader, Limits
from obsirag.loaders.kinds import IMAGE_SUFFIXES, TEXT_SUFFIXES
from obsirag.plugins.markers import hookimpl

__all__ = ["FilesOptions", "loader", "requires"]

Size = Annotated[int, Field(strict=True, ge=1)]
_OF_FILES = ("html_to_markdown", "mammoth", "openpyxl", "pdfplumber", "pptx")
_OF_OCR = ("onnxruntime", "rapidocr")
_DEFAULTS = Limits()


class FilesOptions(ConfigModel):
    """What can be set for ``files``."""

    suffixes: tuple[str, ...] | None = Field(
        default=None,
        min_length=1,
        description="The ends of the names of the files that are read; all kinds if not set.",
    )
    ocr: Annotated[bool, Field(strict=True)] = Field(
        default=False, description="Whether text in images and scans is read; the extra `ocr` brings what it takes."
    )
    seconds: Annotated[float, Field(strict=True, gt=0, le=86_400)] = Field(
        default=_DEFAULTS.seconds, description="How long reading a file may take."
    )
    memory: Annotated[Size, Field(ge=512)] = Field(
        default=_DEFAULTS.memory, description="MiB of address space that reading a file may take."
    )
    file_size: Size = Field(default=_DEFAULTS.file_size, description="MiB that a file may have.")
    unpacked_size: Size = Field(
        default=_DEFAULTS.unpacked_size, description="MiB that a Word, PowerPoint or Excel file may unpack to."
    )
    pages: Size = Field(default=_DEFAULTS.pages, description="How many pages, slides or sheets of a file are read.")
    rows: Size = Field(default=_DEFAULTS.rows, description="How many rows of a sheet or a CSV file are read.")
    columns: Size = Field(default=_DEFAULTS.columns, description="How many of their columns are read.")
    characters: Size = Field(
        default=_DEFAULTS.characters, description="How many characters of Markdown are made of a file."
    )

    @field_validator("suffixes")
    @classmethod
    def _check_suffixes(cls, suffixes: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for each in suffixes or ():
            if each not in TEXT_SUFFIXES and each not in IMAGE_SUFFIXES:
                raise ValueError(f"{each!r} is none of {', '.join((*TEXT_SUFFIXES, *IMAGE_SUFFIXES))}")
        return suffixes

    @model_validator(mode="after")
    def _check_images(self) -> Self:
        images = [each for each in self.suffixes or () if each in IMAGE_SUFFIXES]
        if images and not self.ocr:
            raise ValueError(f"suffixes: {', '.join(images)} need `ocr: true`")
        return self


@hookimpl
def loader(options: dict[str, Any]) -> FileLoader:
    """Make a loader of files."""
    given = FilesOptions.parse(options, place="loader (files)")
    _require(_OF_FILES, "loader 'files'", "files")
    if given.ocr:
        _require(_OF_OCR, "loader 'files' with `ocr`", "files,ocr")
    limits = Limits(**given.model_dump(exclude={"suffixes", "ocr"}))
    return FileLoader(limits, ocr=given.ocr, suffixes=given.suffixes)


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return dict.fromkeys(_OF_FILES, "obsirag[files]")


def _require(modules: tuple[str, ...], part: str, extra: str) -> None:
    if any(find_spec(module) is None for module in modules):
        raise MissingExtraError(part, extra)
