"""Wikilinks, embeds and Markdown links."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from re import Match
from urllib.parse import unquote

from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, LinkSpan, Span
from obsirag.markdown.spans import hidden_spans

__all__ = ["MARKDOWN_LINK", "WIKI_LINK", "find_links", "outside"]

WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]\n\r]++)\]\]")
MARKDOWN_LINK = re.compile(
    r"(?<!\\)(!?)\[((?:[^\[\]\n\\]|\\.|\[[^\[\]\n]*+\](?:\([^()\s]*+\))?+|\n(?![ \t]*\n))*+)\]"
    r"\([ \t]*+(?:<([^<>\n]*+)>|((?:[^()\s\\]|\\.|\([^()\s]*+\))*+))"
    r"(?:\s++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?+[ \t]*+\)"
)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def find_links(text: str, blocks: Sequence[Block] | None = None) -> list[LinkSpan]:
    """Return the wikilinks, embeds and Markdown links of ``text`` in order, those in code, maths and comments left out.

    In a Markdown link the target is URL-decoded unless it is an address, which stays as written, its ``#`` included.
    A link around an image, ``[![](a.png)](b)``, gives the outer link.

    Args:
        text: The text.
        blocks: What ``scan`` says of it, if that is known already.
    """
    if "](" not in text and "[[" not in text:
        return []
    wikis = list(WIKI_LINK.finditer(text))
    others = list(MARKDOWN_LINK.finditer(text)) if "](" in text else []
    if not wikis and not others:
        return []
    hidden = hidden_spans(text, blocks, sorted(match.start() for match in wikis + others))
    found = [_wiki(match) for match in outside(wikis, hidden)]
    if others:
        hidden = merge_spans(hidden + [(link.start, link.end) for link in found])
        found += [_markdown(match) for match in outside(others, hidden)]
        found.sort()
    return found


def outside(matches: Iterable[Match[str]], hidden: list[Span]) -> list[Match[str]]:
    """Return the matches that don't begin within one of ``hidden``, sorted spans."""
    starts = [start for start, _ in hidden]
    result = []
    for match in matches:
        index = bisect_right(starts, match.start()) - 1
        if index < 0 or hidden[index][1] <= match.start():
            result.append(match)
    return result


def _wiki(match: Match[str]) -> LinkSpan:
    # In a table the bar is written `\|`, so that it doesn't end the cell.
    inside, bar, alias = match[2].replace("\\|", "|").partition("|")
    target, mark, subpath = inside.partition("#")
    return LinkSpan(
        match.start(),
        match.end(),
        target.strip(),
        _trimmed_subpath(mark + subpath),
        alias.strip() if bar else None,
        bool(match[1]),
        wiki=True,
    )


def _markdown(match: Match[str]) -> LinkSpan:
    address = match[3] if match[3] is not None else match[4]
    if _ADDRESS.match(address):
        target, mark, subpath = address, "", ""
    else:
        target, mark, subpath = (unquote(part) for part in address.partition("#"))
    return LinkSpan(
        match.start(),
        match.end(),
        target.strip(),
        _trimmed_subpath(mark + subpath),
        match[2].strip(),
        bool(match[1]),
        wiki=False,
    )


def _trimmed_subpath(subpath: str) -> str:
    return "#".join(part.strip() for part in subpath.split("#"))
