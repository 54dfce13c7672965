"""Links in front matter, which Obsidian counts among those of the note."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from obsirag.markdown import LinkSpan, find_links
from obsirag.records import count_line_ends

__all__ = ["PropertyLink", "links_in"]

_WIKI_LINK = re.compile(r"\[\[([^\[\]\n\r]++)\]\]")
_NO_LINKS = frozenset({"tags", "tag", "aliases", "alias", "cssclasses", "cssclass", "permission", "permissions"})

MAX_LINKS = 10_000


class PropertyLink(NamedTuple):
    """A link in a property.

    Args:
        line: 1-based line of the file that it stands on; 1, that of the front matter, where it isn't found.
        span: The link; its offsets are those in the property's text.
    """

    line: int
    span: LinkSpan


def links_in(metadata: Mapping[str, Any], yaml_text: str) -> list[PropertyLink]:
    """Return the links in the properties of a note, in order, at most ``MAX_LINKS`` of them.

    A link without quotes, ``up: [[Home]]``, which YAML takes for a list in a list, counts too. Names and labels, such
    as aliases, hold none.

    Args:
        metadata: The front matter as it was read.
        yaml_text: The front matter as it is written, which begins on the second line of the file.
    """
    if "[[" not in yaml_text and "](" not in yaml_text:
        return []
    written = _lines_of_links(yaml_text)
    found: list[PropertyLink] = []
    spans: dict[str, list[LinkSpan]] = {}  # aliases of YAML may repeat a long text ten thousand times
    for text in _texts_in(metadata, written):
        if text not in spans:
            spans[text] = find_links(text)
        for span in spans[text][: MAX_LINKS - len(found)]:
            lines = written.get(_inside(text[span.start : span.end]))
            line = (lines.popleft() if len(lines) > 1 else lines[0]) if lines else 1
            found.append(PropertyLink(line, span))
    return found


def _lines_of_links(yaml_text: str) -> dict[str, deque[int]]:
    """Return the lines of what looks like a wikilink, by what stands in its brackets."""
    lines: dict[str, deque[int]] = {}
    line, counted = 2, 0
    for found in _WIKI_LINK.finditer(yaml_text):
        line += count_line_ends(yaml_text, counted, found.start())
        counted = found.start()
        lines.setdefault(_inside(found.group()), deque()).append(line)
    return lines


def _texts_in(metadata: Mapping[str, Any], written: Mapping[str, object]) -> Iterator[str]:
    """Yield the texts with links in the properties, in order."""
    fields = [value for key, value in metadata.items() if key.strip().casefold() not in _NO_LINKS]
    waiting = fields[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if "[[" in value or "](" in value:
                yield value
        elif isinstance(value, Mapping):
            waiting.extend([*value.values()][::-1])
        elif isinstance(value, list):
            name = _name_without_quotes(value)
            if name is not None and name in written:
                yield f"[[{name}]]"
            else:
                waiting.extend(reversed(value))


def _name_without_quotes(value: list[Any]) -> str | None:
    """Return what stood between ``[[`` and ``]]`` if ``value`` is what YAML makes of it."""
    if len(value) != 1 or not isinstance(value[0], list) or not value[0]:
        return None
    if len(value[0]) > 1 and not any(isinstance(part, str) for part in value[0]):
        return None  # a point or a row of numbers
    parts = [_as_written(part) for part in value[0]]
    return None if None in parts else ", ".join(part for part in parts if part is not None)


def _as_written(part: object) -> str | None:
    if isinstance(part, Mapping) and len(part) == 1:
        key, value = next(iter(part.items()))
        text = _as_written(value)
        return None if text is None else f"{key}: {text}"
    return str(part) if isinstance(part, (str, int, float, date)) and not isinstance(part, bool) else None


def _inside(link: str) -> str:
    """Return what stands in the brackets of a wikilink, without blanks around it."""
    return link.lstrip("!")[2:-2].strip()
