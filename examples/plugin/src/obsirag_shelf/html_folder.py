"""The plugin ``html-folder``: a search in a website that lies in a folder."""

# ruff: noqa: ARG002 - the names and signatures are those of what is implemented here

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from pydantic import Field

from obsirag import hookimpl
from obsirag.config import ConfigModel
from obsirag.errors import ConfigError, ServiceError
from obsirag.retrievers import WebHit, WebPage, WebSearchProvider

__all__ = ["API_VERSION", "HtmlFolder", "hosts", "search_provider"]

API_VERSION = 1

_WORD = re.compile(r"[\u4e00-\u9fff]|\w+")
_HIDDEN = {"script", "style", "head", "template"}
_SNIPPET = 300


class HtmlFolderOptions(ConfigModel):
    """What can be set for ``html-folder``."""

    folder: str = Field(description="The folder with the pages.")
    address: str = Field(pattern=r"^https?://[^/?#]+$", description="Where the website is, without a slash at the end.")


@hookimpl
def search_provider(options: dict[str, Any]) -> HtmlFolder:
    """Make a search in a folder."""
    checked = HtmlFolderOptions.parse(options, place="search_provider (html-folder)")
    folder = Path(checked.folder).expanduser().resolve()
    if not folder.is_dir():
        raise ConfigError(f"search_provider (html-folder): `folder`: there is no folder {folder}")
    return HtmlFolder(folder, checked.address)


@hookimpl
def hosts() -> list[str]:
    """Name nobody: pages are read from the folder, not from the address that they have on the web."""
    return []


class HtmlFolder(WebSearchProvider):
    """Finds pages by how many of the question's words they have; all of them are read for each question.

    Args:
        folder: The folder, resolved.
        address: Where its website is.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self._folder = folder
        self._address = address

    def search(
        self, query: str, *, limit: int, allow_domains: Sequence[str] = (), block_domains: Sequence[str] = ()
    ) -> list[WebHit]:
        """Return the pages with most of the query's words; obsirag holds them against the domains itself."""
        wanted = set(_WORD.findall(query.casefold()))
        hits = []
        for url, title, text in self._pages():
            found = wanted & set(_WORD.findall(f"{title} {text}".casefold()))
            if found:
                hits.append(WebHit(url, title, _around(text, found), len(found) / len(wanted)))
        return sorted(hits, key=lambda hit: (-(hit.score or 0), hit.url))[:limit]

    def extract(self, urls: Sequence[str]) -> list[WebPage]:
        """Return the texts of pages; an address that is none of this website's is passed over."""
        texts = {url: text for url, _, text in self._pages()}
        return [WebPage(url, texts[known]) for url in urls if (known := self._known(url)) in texts]

    def _known(self, url: str) -> str:
        return self._address + quote(unquote(urlsplit(url).path)) if url.startswith(f"{self._address}/") else ""

    def _pages(self) -> Iterator[tuple[str, str, str]]:
        try:
            for file in sorted(self._folder.rglob("*.html")):
                if file.resolve().is_relative_to(self._folder):  # a symbolic link doesn't lead out of it
                    page = _Page()
                    page.feed(file.read_text(encoding="utf-8", errors="replace"))
                    path = quote(file.relative_to(self._folder).as_posix())
                    yield f"{self._address}/{path}", page.title.strip() or file.stem, page.text
        except OSError as error:
            reason = error.strerror or "unknown reason"
            raise ServiceError(f"the pages in {self._folder} cannot be read: {reason}") from error


class _Page(HTMLParser):
    """The title of a page, and the text that people see."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self._open: list[str] = []
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        return " ".join(" ".join(self._parts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN or tag == "title":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            del self._open[self._open.index(tag) :]

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["title"]:
            self.title += data
        elif not self._open:
            self._parts.append(data)


def _around(text: str, words: set[str]) -> str:
    """Return the part of a text that begins a little before the first of some words."""
    lowered = text.casefold()
    first = min((at for word in words if (at := lowered.find(word)) >= 0), default=0)
    start = max(0, first - _SNIPPET // 4)
    return text[start : start + _SNIPPET]
