"""HTML pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from obsirag.errors import VaultError
from obsirag.loaders.composing import Composer
from obsirag.loaders.decoding import decoded
from obsirag.loaders.limits import Limits
from obsirag.loaders.markup import defused
from obsirag.records import LoadedFile

__all__ = ["markdown_of", "read"]

# No text, or none that a reader of the page sees; what is hidden by an attribute or a style the converter knows.
_NO_CONTENT = [
    *("nav", "svg", "textarea", "select", "button", "object", "embed", "iframe", "audio", "video", "canvas"),
    *('[aria-hidden="true"]', '[style*="opacity:0;"]', '[style*="opacity: 0;"]', '[style$="opacity:0"]'),
    *('[style$="opacity: 0"]', '[style*="left:-9999"]', '[style*="left: -9999"]'),
]
_STYLE_SHEET = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)
_HIDING_RULE = re.compile(r"([^{}]+)\{[^{}]*?(?:display\s*:\s*none|visibility\s*:\s*hidden)[^{}]*\}", re.IGNORECASE)
_IN_BLOCKS = re.compile(r"@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_SIMPLE = re.compile(r"[.#][A-Za-z][\w-]*\Z")
_SCRIPT_LINK = re.compile(r"\[([^\]\n]*)\]\(\s*<?(?:javascript|vbscript|data):[^)\n]*\)*", re.IGNORECASE)
_HEAD_END = re.compile(r"</head\b|<body\b", re.IGNORECASE)
_LOOKED_AT = 500_000
_MOST_HIDING = 200


def read(path: Path, limits: Limits) -> LoadedFile:
    """Return an HTML page, without scripts, navigation, and what a browser doesn't show.

    Raises:
        VaultError: If it cannot be read.
    """
    html = decoded(path.read_bytes(), is_html=True)
    if "<" not in html:
        raise VaultError("this is no HTML page: it has no tags; is its name wrong?")
    composer = Composer(limits.characters)
    for block in _converted(html, _hidden_by_style_sheets(html)).split("\n\n"):
        composer.add(block)
    return composer.loaded(_metadata(html))


def markdown_of(html: str) -> str:
    """Return the Markdown of HTML that is safe, such as a converter has made."""
    return _converted(html, [])


def _converted(html: str, hidden: list[str]) -> str:
    from html_to_markdown import ConversionOptions, convert

    options = ConversionOptions(
        bullets="-",
        compact_tables=True,
        exclude_selectors=[*_NO_CONTENT, *hidden],
        extract_metadata=False,
        inline_data_media="alt_text_only",
    )
    return defused(_SCRIPT_LINK.sub(r"\1", str(convert(html, options).content or "")))


def _metadata(html: str) -> dict[str, Any]:
    from html_to_markdown import convert

    head = _HEAD_END.search(html, 0, _LOOKED_AT)
    result = convert(html[: head.start()]) if head else None
    about = result.metadata.document if result and result.metadata else None
    return {"title": getattr(about, "title", None), "author": getattr(about, "author", None)}


def _hidden_by_style_sheets(html: str) -> list[str]:
    """Return the classes and ids that style sheets in the page hide always, as selectors."""
    hidden = []
    for sheet in _STYLE_SHEET.finditer(html, 0, _LOOKED_AT):
        for rule in _HIDING_RULE.finditer(_IN_BLOCKS.sub("", sheet[1])):
            hidden += [each.strip() for each in rule[1].split(",") if _SIMPLE.match(each.strip())]
    return list(dict.fromkeys(hidden))[:_MOST_HIDING]
