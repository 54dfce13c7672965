"""What a shown text would load, or lead to with a click, by renderers that differ in what they know."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from markdown_it import MarkdownIt

__all__ = ["addresses_of"]

_HOST = "here.example"
_RENDERERS = [MarkdownIt("commonmark"), MarkdownIt("commonmark").enable(["table", "strikethrough"])]
_PARTS = re.compile(r"url\(([^)]*)\)|url=(\S+)|([^\s,]+)", re.IGNORECASE)
for _renderer in _RENDERERS:
    _renderer.validateLink = lambda _: True


def addresses_of(text: str) -> set[str]:
    """Return the addresses on another host, or of another kind than pages, in what any of the renderers shows."""
    return {address for renderer in _RENDERERS for address in _away(renderer.render(text))}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.values: list[str] = []
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_style = tag == "style"
        self.values += (value for name, value in attrs if value and name not in {"alt", "title", "class"})

    def handle_data(self, data: str) -> None:
        if self._is_style:
            self.values += re.findall(r"[\"']([^\"']*)", data)


def _away(html: str) -> list[str]:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    found = [part for value in reader.values for each in _PARTS.findall(value) for part in (value, *each) if part]
    return [each for each in found if _leads_away(re.sub(r"[\t\r\n]", "", each).strip().replace("\\", "/"))]


def _leads_away(address: str) -> bool:
    if re.fullmatch(r"[\w+.-]+:", address):
        return False
    try:
        parts = urlsplit(urljoin(f"http://{_HOST}/a/", address))
    except ValueError:
        return True
    return (parts.scheme, parts.netloc) != ("http", _HOST) or bool(re.match("https?:", address))
