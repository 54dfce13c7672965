"""Canvas files laid out as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from obsirag.errors import VaultError
from obsirag.vault.boxes import Box, owners, parents
from obsirag.vault.decoding import storable
from obsirag.vault.placing import missing_end

__all__ = ["lay_out_canvas"]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_NO_WIKI_LINK = re.compile(r"[\r\n\[\]|#]")
_NO_MARKDOWN_LINK = re.compile(r"[\s<>()\[\]#%\\]")
_NO_ADDRESS = re.compile(r"[\s<>]")
_LINE_END = re.compile(r"\r\n|\r|\n")


class _Text(NamedTuple):
    """A text of the file and the line that it stands in."""

    text: str
    line: int


class _Pairs(list[tuple[str, Any]]):
    """An object of the file as it stands there, repeated keys included."""


class _Node(NamedTuple):
    id: str
    kind: str
    content: _Text
    box: Box


class _Layout:
    """The Markdown in the making, each part with the line of the file that it comes from."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.origins: list[tuple[int, int]] = []

    def put(self, text: str, line: int) -> None:
        if text:
            self.origins.append((self._length, line))
            self._parts.append(text)
            self._length += len(text)

    @property
    def text(self) -> str:
        return "".join(self._parts)


def lay_out_canvas(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a canvas as Markdown, and offsets in it, each with the line of the file that it comes from.

    Text nodes stand as they are; file nodes become links, since the files have their own place in an index; a group
    becomes a heading over what lies in it, one level below that of the group around it; the edges follow as a list. The
    order is that of the file.

    Args:
        text: The JSON of the file; an empty file is an empty canvas.

    Raises:
        VaultError: If it is not the JSON of a canvas.
    """
    if not text.strip():
        return "", [(0, 1)]
    canvas = _fields(_read_json(text))
    nodes = [node for each in _items(canvas.get("nodes")) if (node := _node(_fields(each))) is not None]
    layout = _Layout()
    groups = [node for node in nodes if node.kind == "group"]
    others = [node for node in nodes if node.kind != "group"]
    areas = [each.box for each in groups]
    members: list[list[_Node]] = [[] for _ in range(len(groups) + 1)]  # last those of no group
    for node, owner in zip(others, owners([each.box for each in others], areas), strict=True):
        members[owner].append(node)
    _put_nodes(layout, members[-1])
    for index, level in _outline(parents(areas)):
        group = groups[index]
        layout.put(f"{'#' * level} {' '.join(group.content.text.split())}\n\n", group.content.line)
        _put_nodes(layout, members[index])
    names = {node.id: _short_name(node) for node in nodes}
    for edge in _items(canvas.get("edges")):
        _put_edge(layout, _fields(edge), names)
    return layout.text, layout.origins or [(0, 1)]


def _outline(parents_of_groups: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each group and the level of its heading, one that lies in another behind it."""
    inner: list[list[int]] = [[] for _ in range(len(parents_of_groups) + 1)]  # last those in no other
    for index, parent in enumerate(parents_of_groups):
        inner[parent].append(index)
    waiting = [(index, 2) for index in reversed(inner[-1])]
    while waiting:
        index, level = waiting.pop()
        yield index, level
        waiting.extend((each, min(level + 1, 6)) for each in reversed(inner[index]))


def _read_json(text: str) -> Any:
    """Return the JSON's value, its texts with their lines.

    The value is read with its pairs in the order of the file, so its strings are those of a second look in turn.
    """
    try:
        return _located(json.loads(text, object_pairs_hook=_Pairs), _string_lines(text))
    except (ValueError, RecursionError) as error:
        line = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise VaultError(f"not valid JSON{line}; open and save the canvas in Obsidian") from error


def _string_lines(text: str) -> Iterator[int]:
    """Yield the line of each string in turn."""
    line_starts = iter([*(found.end() for found in _LINE_END.finditer(text)), len(text) + 1])
    line, following = 1, next(line_starts)
    for found in _STRING.finditer(text):
        while following <= found.start():
            line, following = line + 1, next(line_starts)
        yield line


def _located(value: Any, lines: Iterator[int]) -> Any:
    if isinstance(value, str):
        return _Text(storable(value), next(lines))
    if isinstance(value, _Pairs):
        # The key's own string comes first.
        return _Pairs((key, (next(lines), _located(each, lines))[1]) for key, each in value)
    if isinstance(value, list):
        return [_located(each, lines) for each in value]
    return value


def _fields(value: Any) -> dict[str, Any]:
    if not isinstance(value, _Pairs):
        raise VaultError("not a canvas: objects are expected where something else stands")
    return dict(value)


def _items(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, _Pairs) or not isinstance(value, list):
        raise VaultError("not a canvas: `nodes` and `edges` must be lists")
    return value


def _node(fields: dict[str, Any]) -> _Node | None:
    kind = _text(fields, "type")
    content = _content(kind.text, fields)
    if content is None:
        return None
    box = Box(*(_number(fields.get(name)) for name in ("x", "y", "width", "height")))
    return _Node(_text(fields, "id").text, kind.text, content, box)


def _content(kind: str, fields: dict[str, Any]) -> _Text | None:
    """Return a node's Markdown; None for a kind that isn't known."""
    if kind == "text":
        return _text(fields, "text")
    if kind == "group":
        label = _text(fields, "label")
        return label if label.text.strip() else None
    if kind == "file":
        file = _text(fields, "file")
        return file._replace(text=_file_link(file.text, _text(fields, "subpath").text)) if file.text else None
    if kind == "link":
        url = _text(fields, "url")
        return url._replace(text=f"<{_escaped(url.text, _NO_ADDRESS)}>") if url.text.strip() else None
    return None


def _file_link(file: str, subpath: str) -> str:
    """Return a wikilink, or a Markdown link where the name has characters that no wikilink can hold."""
    part = subpath.lstrip("#")
    if not _NO_WIKI_LINK.search(file) and not _NO_WIKI_LINK.search(part.replace("#", "")):
        return f"[[{file}{subpath}]]"
    words = re.sub(r"([\\\[\]])", r"\\\1", " ".join(file.rpartition("/")[2].split()))
    return f"[{words}]({_escaped(file, _NO_MARKDOWN_LINK)}{'#' if part else ''}{_escaped(part, _NO_MARKDOWN_LINK)})"


def _escaped(text: str, characters: re.Pattern[str]) -> str:
    return characters.sub(lambda found: quote(found.group()), text)


def _text(fields: dict[str, Any], name: str) -> _Text:
    value = fields.get(name)
    return value if isinstance(value, _Text) else _Text("", 1)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and abs(value) < 1e15 else 0.0


def _put_nodes(layout: _Layout, nodes: Iterable[_Node]) -> None:
    for node in nodes:
        text = node.content.text.rstrip()
        if text:
            end = missing_end(text)[1]  # what a card never closes ends with it
            layout.put(f"{text}\n{end}\n\n" if end else f"{text}\n\n", node.content.line)


def _put_edge(layout: _Layout, fields: dict[str, Any], names: dict[str, str]) -> None:
    start, end = (names.get(_text(fields, name).text) for name in ("fromNode", "toNode"))
    if start is None or end is None:
        return
    label = _text(fields, "label")
    line = label.line if label.text else _text(fields, "fromNode").line
    back, forth = _text(fields, "fromEnd").text == "arrow", _text(fields, "toEnd").text != "none"
    arrow = "↔" if back and forth else "←" if back else "→" if forth else "—"
    layout.put(f"- {start} {arrow} {end}{': ' if label.text else ''}{' '.join(label.text.split())}\n", line)


def _short_name(node: _Node) -> str:
    """Return the first line of a node's text, as long as a line of a list may be."""
    first = next((line.strip() for line in node.content.text.splitlines() if line.strip()), "")
    first = first.lstrip("#>-*+ ") or first
    return first if node.kind == "file" or len(first) <= 60 else first[:60].rstrip() + "…"
