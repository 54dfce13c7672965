"""PDF files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from obsirag.errors import VaultError, reason_of
from obsirag.loaders.composing import Composer
from obsirag.loaders.layout import Line, Page, Sizes, page_blocks, without_furniture
from obsirag.loaders.limits import Limits
from obsirag.loaders.pdf_lines import lines_of
from obsirag.records import LoadedFile

__all__ = ["read"]

_STEP = 1.12
_OCR_STEP = 1.3
_SHARE_OF_TIME = 0.85
"""Which share of the time pages are read for; the rest is for putting them together."""

_MARK_WITHIN = 1024
_MOST_NAMED = 20
_LARGE = 0.3
"""Which share of a page an image takes that may well be a scan."""


def read(path: Path, limits: Limits, *, ocr: bool) -> LoadedFile:
    """Return a PDF file: pages in the order of reading, without running heads, larger letters as headings, tables.

    Raises:
        VaultError: If it cannot be read.
    """
    import pdfplumber
    from pdfplumber.utils.exceptions import PdfminerException

    with path.open("rb") as file:
        if b"%PDF-" not in file.read(_MARK_WITHIN):
            raise VaultError("this is no PDF file; is its name wrong?")
    try:
        with pdfplumber.open(path) as pdf:
            pages, scans, findings = _Reading(path, limits, ocr).read(pdf)
            about = pdf.metadata or {}
    except PdfminerException as error:
        cause = error.args[0] if error.args else error
        if "Password" in type(cause).__name__ or "Encryption" in type(cause).__name__:
            raise VaultError("it is encrypted; save it without a password") from error
        raise VaultError(f"the PDF file is broken ({type(cause).__name__})") from error
    composer = Composer(limits.characters)
    sizes = {
        is_scan: Sizes.of(
            (line for page in pages if (page.number in scans) is is_scan for line in page.lines),
            step=_OCR_STEP if is_scan else _STEP,
        )
        for is_scan in (False, True)
    }
    for page in without_furniture(pages):
        composer.begin(f"page {page.number}")
        for block in page_blocks(page, sizes[page.number in scans]):
            composer.add(block)
    composer.findings += findings
    return composer.loaded({"title": about.get("Title"), "author": about.get("Author")})


class _Reading:
    """Reads the pages of one file, as far as the limits let it."""

    def __init__(self, path: Path, limits: Limits, ocr: bool) -> None:
        self._path = path
        self._limits = limits
        self._ocr = ocr
        self._end = time.monotonic() + _SHARE_OF_TIME * limits.seconds
        self._without_text: list[int] = []
        self._characters = 0

    def read(self, pdf: Any) -> tuple[list[Page], set[int], list[str]]:
        """Return the pages, the numbers of those that OCR has read, and what couldn't be read."""
        pages, scans, findings = [], set(), []
        count = 0
        for page in pdf.pages:
            if count == self._limits.pages or self._characters > self._limits.characters:
                findings.append(f"only the first {count:,} pages are read; raise `pages` or `characters`")
                break
            if time.monotonic() > self._end:
                findings.append(f"only the first {count:,} pages could be read in time; raise `seconds`")
                break
            count += 1
            try:
                lines, is_scan = self._lines(page)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001 - what pages raise that are broken; the others may be whole
                findings.append(f"page {count} is broken: {reason_of(error)}")
                continue
            finally:
                page.close()
            pages.append(Page(count, float(page.height), lines))
            if is_scan:
                scans.add(count)
        if self._without_text:
            named = ", ".join(map(str, self._without_text[:_MOST_NAMED]))
            more = f" and {len(self._without_text) - _MOST_NAMED} more" if len(self._without_text) > _MOST_NAMED else ""
            advice = "OCR found no text on them either" if self._ocr else "`ocr: true` would read them"
            findings.append(f"pages without text, only with images: {named}{more}; {advice}")
        return pages, scans, findings

    def _lines(self, page: Any) -> tuple[list[Line], bool]:
        lines = lines_of(page)
        self._characters += sum(len(line.text) for line in lines)
        if lines or not _has_large_image(page):
            return lines, False
        if self._ocr:
            from obsirag.loaders.ocr import lines_on_page

            lines = lines_on_page(self._path, page.page_number)
        if not lines:
            self._without_text.append(page.page_number)
        return lines, True


def _has_large_image(page: Any) -> bool:
    area = sum(abs(image["x1"] - image["x0"]) * abs(image["bottom"] - image["top"]) for image in page.images)
    return bool(area > _LARGE * page.width * page.height)
