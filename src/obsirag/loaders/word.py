"""Word files."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

from obsirag.errors import VaultError
from obsirag.loaders.composing import Composer
from obsirag.loaders.html import markdown_of
from obsirag.loaders.limits import Limits
from obsirag.loaders.packed import require_sound
from obsirag.records import LoadedFile

__all__ = ["read"]

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CORE = "{http://purl.org/dc/elements/1.1/}"
_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"
_HIDES = ("vanish", "webHidden")


def read(path: Path, limits: Limits) -> LoadedFile:
    """Return a Word file: headings by their styles, lists, tables and footnotes, without what Word doesn't show.

    Raises:
        VaultError: If it cannot be read.
    """
    from mammoth import convert_to_html
    from mammoth.images import img_element

    require_sound(path, "word", "Word file", limits)
    pictures: list[object] = []

    def count(picture: object) -> dict[str, str]:
        pictures.append(picture)
        return {"src": ""}

    shown, properties = _without_hidden(path)
    try:
        html = convert_to_html(
            shown,
            style_map=_STYLES,
            convert_image=img_element(count),
            external_file_access=False,
        ).value
    except (KeyError, ParseError, ValueError, AttributeError, TypeError) as error:  # what it raises on broken files
        raise VaultError(f"the Word file is broken ({type(error).__name__})") from error
    composer = Composer(limits.characters)
    for block in markdown_of(html).split("\n\n"):
        composer.add(block)
    if pictures:
        composer.findings.append(f"{len(pictures)} pictures: what they show is not read")
    return composer.loaded(properties)


def _without_hidden(path: Path) -> tuple[io.BytesIO, dict[str, Any]]:
    """Return the file without its hidden text, and its properties."""
    shown, properties = io.BytesIO(), {}
    with zipfile.ZipFile(path) as packed, zipfile.ZipFile(shown, "w", zipfile.ZIP_STORED) as copy:
        for entry in packed.infolist():
            if entry.filename.startswith("word/media/"):
                copy.writestr(entry.filename, b"")
                continue
            data = packed.read(entry)
            if (entry.filename.startswith("word/") and b"anish" in data) or b"webHidden" in data:
                data = _visible(data)
            if entry.filename == "docProps/core.xml":
                properties = _properties(data)
            copy.writestr(entry.filename, data)
    shown.seek(0)
    return shown, properties


def _visible(data: bytes) -> bytes:
    try:
        root = fromstring(data)  # noqa: S314 - its document types were refused
    except ParseError as error:
        raise VaultError("the Word file is broken: its XML cannot be read") from error
    for parent in root.iter():
        for run in [child for child in parent if child.tag == f"{_WORD}r" and _is_hidden(child)]:
            parent.remove(run)
    return tostring(root)


def _is_hidden(run: Element) -> bool:
    marks = (run.find(f"{_WORD}rPr/{_WORD}{name}") for name in _HIDES)
    return any(mark is not None and mark.get(f"{_WORD}val", "1") not in ("0", "false", "off") for mark in marks)


def _properties(data: bytes) -> dict[str, Any]:
    try:
        root = fromstring(data)  # noqa: S314 - its document types were refused
    except ParseError:
        return {}
    return {"title": root.findtext(f"{_CORE}title"), "author": root.findtext(f"{_CORE}creator")}
