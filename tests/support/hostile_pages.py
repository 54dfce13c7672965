"""Text that would be markup if a page let it, and what is read from a page."""

from __future__ import annotations

from html.parser import HTMLParser

__all__ = ["ALLOWED", "EVIL", "NAME", "SET", "Page"]

SET = "document.documentElement.setAttribute('data-owned', '1')"
EVIL = (
    f'</script></style></title></pre></details><script>{SET}</script><img src=x onerror="{SET}">'
    f"<svg onload='{SET}'></svg> {{{{style}}}} $name \u202eturned\u202c \x00 \ud800 السلام 中文 [1]"
)
NAME = EVIL.replace("\ud800", "")
"""The same as something that can be a file's name."""

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "footer", "h1", "h2", "h3", "h4"),
    *("p", "span", "div", "a", "b", "bdi", "br", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "details"),
    *("summary", "table", "thead", "tbody", "tr", "th", "td", "svg", "rect"),
}


class Page(HTMLParser):
    """The elements, attributes and texts of a page, as a parser reads them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All texts in a row."""
        return "".join(self.texts)
