"""Text in images, by RapidOCR, whose models come with its package and read Chinese and English."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from obsirag.errors import VaultError
from obsirag.loaders.layout import Line

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["lines_in", "lines_on_page"]

_POINTS = 72
_DOTS = 170
"""How many dots to the inch a page is drawn with."""

_LONGEST_SIDE = 2000
"""Larger images are made smaller: letters that are to be read stay large enough."""

_SURE = 0.5
_LETTER = 0.8
"""How large letters are in the box around their line."""


def lines_in(image: Image, scale: float = 1.0) -> list[Line]:
    """Return the lines of text in an image.

    Args:
        image: The image.
        scale: How many points a dot is.

    Raises:
        VaultError: If it has no size.
    """
    import numpy as np

    if not image.width or not image.height:
        raise VaultError("the image has no size")
    factor = min(1.0, _LONGEST_SIDE / max(image.width, image.height))
    if factor < 1:
        image = image.resize((max(1, round(image.width * factor)), max(1, round(image.height * factor))))
    found = _engine()(np.asarray(image.convert("RGB"))[:, :, ::-1])
    if found.txts is None or found.boxes is None:
        return []
    unit = scale / factor
    lines = []
    for text, box, score in zip(found.txts, found.boxes, found.scores, strict=True):
        if score < _SURE or not text.strip():
            continue
        x, y = [float(place[0]) * unit for place in box], [float(place[1]) * unit for place in box]
        size = _LETTER * (max(y) - min(y))
        lines.append(Line(text.strip(), min(x), min(y), max(x), max(y), size))
    return lines


def lines_on_page(path: Path, number: int) -> list[Line]:
    """Return the lines of text in the picture of a page of a PDF file.

    Args:
        path: The file.
        number: The page's number, from 1.
    """
    from pypdfium2 import PdfDocument

    document = PdfDocument(path)
    try:
        page = document[number - 1]
        dots = min(_DOTS, _POINTS * _LONGEST_SIDE / max(1.0, *page.get_size()))
        image = page.render(scale=dots / _POINTS).to_pil()
        return lines_in(image, _POINTS / dots)
    finally:
        document.close()


@cache  # in the worker's process, which lives for the sake of its libraries
def _engine() -> Any:
    from rapidocr import RapidOCR

    # Asked whether a line stands upside down, it errs with long ones, which are then read from the wrong side.
    return RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False})
