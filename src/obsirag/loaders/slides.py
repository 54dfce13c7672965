"""PowerPoint files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from obsirag.errors import VaultError
from obsirag.loaders.composing import Composer
from obsirag.loaders.limits import Limits
from obsirag.loaders.markup import plain_line, table
from obsirag.loaders.packed import require_sound
from obsirag.records import LoadedFile

if TYPE_CHECKING:
    from pptx.slide import Slide

__all__ = ["read"]

_DEEPEST = 20
_HIDDEN = "0"


def read(path: Path, limits: Limits) -> LoadedFile:
    """Return a PowerPoint file: each slide's title as a heading, then its texts and tables from the top, and its notes.

    Raises:
        VaultError: If it cannot be read.
    """
    from lxml.etree import LxmlError
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    require_sound(path, "ppt", "PowerPoint file", limits)
    composer = Composer(limits.characters)
    try:
        deck = Presentation(str(path))
        slides = list(deck.slides)
        for number, slide in enumerate(slides[: limits.pages], 1):
            if slide.element.get("show") == _HIDDEN:
                composer.findings.append(f"slide {number} is hidden and was left out")
                continue
            composer.begin(f"slide {number}")
            _add(slide, number, composer)
        if len(slides) > limits.pages:
            composer.findings.append(f"only the first {limits.pages:,} slides are read; raise `pages`")
        about = deck.core_properties
        return composer.loaded({"title": about.title, "author": about.author})
    except (PythonPptxError, LxmlError, KeyError, ValueError, AttributeError, TypeError, IndexError) as error:
        raise VaultError(f"the PowerPoint file is broken ({type(error).__name__})") from error


def _add(slide: Slide, number: int, composer: Composer) -> None:
    title = slide.shapes.title
    if title is not None and title.text_frame.text.strip():
        composer.add(f"## {plain_line(title.text_frame.text)}")
    pictures = 0
    for shape in _shown(slide.shapes, 0):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False):
            composer.add(table([[cell.text for cell in row.cells] for row in shape.table.rows]))
        elif getattr(shape, "has_chart", False):
            pictures += 1
        elif shape.has_text_frame:
            composer.add(_paragraphs(shape))
        elif hasattr(shape, "image"):
            pictures += 1
    if pictures:
        composer.findings.append(f"slide {number} has {pictures} pictures or charts: what they show is not read")
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        composer.add(f"Notes: {' '.join(map(plain_line, notes.text.splitlines()))}")


def _shown(shapes: Any, depth: int) -> Iterator[Any]:
    """Give shapes from the top to the bottom, those of groups one by one."""
    for shape in sorted(shapes, key=lambda each: (each.top or 0, each.left or 0)):
        if hasattr(shape, "shapes") and depth < _DEEPEST:
            yield from _shown(shape.shapes, depth + 1)
        elif shape._element._nvXxPr.cNvPr.get("hidden") not in ("1", "true"):
            yield shape


def _paragraphs(shape: Any) -> str:
    """Return a shape's text: a list where it stands for the slide's body, else paragraphs."""
    lines = [(each.level, plain_line(each.text)) for each in shape.text_frame.paragraphs]
    lines = [(level, line) for level, line in lines if line]
    if shape.is_placeholder and len(lines) > 1:
        return "\n".join(f"{'  ' * level}- {line}" for level, line in lines)
    return "\n\n".join(line for _, line in lines)
