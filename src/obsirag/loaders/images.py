"""Images and scans."""

from __future__ import annotations

import warnings
from pathlib import Path

from obsirag.errors import VaultError
from obsirag.loaders.composing import Composer
from obsirag.loaders.layout import Page, Sizes, page_blocks, without_furniture
from obsirag.loaders.limits import Limits
from obsirag.loaders.ocr import lines_in
from obsirag.records import LoadedFile

__all__ = ["read"]

_STEP = 1.3
_MOST_DOTS = 100_000_000


def read(path: Path, limits: Limits, *, ocr: bool = True) -> LoadedFile:
    """Return the text in an image: larger letters as headings, rows of cells as tables; of several images, pages.

    Raises:
        VaultError: If it cannot be read.
    """
    from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

    if not ocr:
        raise VaultError("it is an image: `ocr: true` reads the text in images")
    composer = Composer(limits.characters)
    pages: list[Page] = []
    try:
        with warnings.catch_warnings(), Image.open(path) as image:
            frames = getattr(image, "n_frames", 1)
            for number, frame in enumerate(ImageSequence.Iterator(image), 1):
                if number > limits.pages:
                    composer.findings.append(f"only the first {limits.pages:,} pages are read; raise `pages`")
                    break
                if frame.width * frame.height > _MOST_DOTS:
                    raise VaultError(f"the image has more than {_MOST_DOTS:,} dots")
                upright = ImageOps.exif_transpose(frame)
                pages.append(Page(number, float(upright.height), lines_in(upright)))
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        raise VaultError(f"the image is broken, too large, or of an unknown sort ({type(error).__name__})") from error
    sizes = Sizes.of((line for page in pages for line in page.lines), step=_STEP)
    for page in without_furniture(pages) if frames > 1 else pages:
        if frames > 1:
            composer.begin(f"page {page.number}")
        for block in page_blocks(page, sizes):
            composer.add(block)
    return composer.loaded()
