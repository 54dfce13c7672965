"""Wikilinks, embeds and Markdown links."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from re import Match
from urllib.parse import unquote

from obsirag.markdown.grammar import is_escaped
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, LinkSpan, Span
from obsirag.markdown.spans import hidden_spans

__all__ = ["RawLink", "find_links", "links_outside", "markdown_links", "outside", "wiki_links"]

RawLink = tuple[int, Match[str]]
"""Where a link begins, its `!` included, and what matches it from its first bracket on."""

# The patterns begin with a literal character, so that they are searched for at full speed; the `!` of an embed stands
# before it.
_WIKI_LINK = re.compile(r"\[\[([^\[\]\n\r]++)\]\]")
_MARKDOWN_LINK = re.compile(
    r"\[((?:[^\[\]\n\\]++|\\.|\[[^\[\]\n]*+\](?:\([^()\s]*+\))?+|\n(?![ \t]*\n))*+)\]"
    r"\([ \t]*+(?:<([^<>\n]*+)>|((?:[^()\s\\]++|\\.|\([^()\s]*+\))*+))"
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
    wikis, others = wiki_links(text), markdown_links(text)
    if not wikis and not others:
        return []
    hidden = hidden_spans(text, blocks, sorted(start for start, _ in wikis + others))
    return links_outside(wikis, others, hidden)


def wiki_links(text: str) -> list[RawLink]:
    """Return what looks like a wikilink or an embed, wherever it stands."""
    if "[[" not in text:
        return []
    return [each for found in _WIKI_LINK.finditer(text) if (each := _with_mark(text, found))]


def markdown_links(text: str) -> list[RawLink]:
    """Return what looks like a Markdown link or image, wherever it stands."""
    if "](" not in text:
        return []
    return [each for found in _MARKDOWN_LINK.finditer(text) if (each := _with_mark(text, found))]


def _with_mark(text: str, found: Match[str]) -> RawLink | None:
    """Return a link with the ``!`` before it, if there is one; None if a backslash makes it text."""
    start = found.start()
    before = text[start - 1] if start else ""
    if before == "!":
        return (start if is_escaped(text, start - 1) else start - 1), found
    return None if before == "\\" and is_escaped(text, start) else (start, found)


def links_outside(wikis: list[RawLink], others: list[RawLink], hidden: list[Span]) -> list[LinkSpan]:
    """Return the links that begin outside ``hidden``, sorted spans, in order; in a wikilink stands no other."""
    found = [_wiki(*link) for link in outside(wikis, hidden)]
    if others:
        hidden = merge_spans(hidden + [(link.start, link.end) for link in found])
        found += [_markdown(*link) for link in outside(others, hidden)]
        found.sort()
    return found


def outside(matches: Iterable[RawLink], hidden: list[Span]) -> list[RawLink]:
    """Return the matches that don't begin within one of ``hidden``, sorted spans."""
    if not hidden:
        return list(matches)
    starts = [start for start, _ in hidden]
    result = []
    for start, match in matches:
        index = bisect_right(starts, start) - 1
        if index < 0 or hidden[index][1] <= start:
            result.append((start, match))
    return result


def _wiki(start: int, match: Match[str]) -> LinkSpan:
    inside, embed = match[1], start < match.start()
    if "|" not in inside and "#" not in inside:
        return LinkSpan(start, match.end(), inside.strip(), "", None, embed, wiki=True)
    # In a table the bar is written `\\|`, so that it doesn't end the cell.
    inside, bar, alias = inside.replace("\\|", "|").partition("|")
    target, mark, subpath = inside.partition("#")
    place = _trimmed_subpath(mark + subpath) if mark else ""
    return LinkSpan(start, match.end(), target.strip(), place, alias.strip() if bar else None, embed, wiki=True)


def _markdown(start: int, match: Match[str]) -> LinkSpan:
    text, bracketed, bare = match.groups()
    target, place = (bare if bracketed is None else bracketed), ""
    if not _ADDRESS.match(target) and ("#" in target or "%" in target):
        target, mark, subpath = target.partition("#")
        target, place = unquote(target), _trimmed_subpath(mark + unquote(subpath))
    return LinkSpan(start, match.end(), target.strip(), place, text.strip(), start < match.start(), wiki=False)


def _trimmed_subpath(subpath: str) -> str:
    return "#".join(part.strip() for part in subpath.split("#"))
