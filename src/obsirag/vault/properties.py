"""What a note's front matter says about it: tags, aliases, title, permissions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from obsirag.records import PUBLIC, Permissions, merge_permissions, permissions_in
from obsirag.vault.placeholders import holds_placeholder, placeholders_in
from obsirag.vault.yaml_reader import UnusableYamlError, read_yaml

__all__ = [
    "UNREADABLE_PERMISSIONS",
    "FrontMatter",
    "aliases_in",
    "goes_on_as_front_matter",
    "meant_as_front_matter",
    "read_front_matter",
    "stated_permissions",
    "tags_in",
    "title_in",
    "unique",
]

UNREADABLE_PERMISSIONS: Permissions = (("!unreadable-front-matter",),)
"""Permissions of a note whose front matter mentions permissions but cannot be read: a label that callers don't have.

The note is hidden until its front matter is mended; to guess labels from broken YAML could show it to the wrong people.
"""

_MENTIONS_PERMISSION = re.compile(r"permission", re.IGNORECASE)
_STATES_PERMISSION = re.compile(r"permissions?[\s\"']*[:：]", re.IGNORECASE)
_PERMISSION_FIELD = re.compile(r"[\s\"'{,]*permissions?[\s\"']*[:：]", re.IGNORECASE)
_WIDE_COLON = re.compile(r"^[^\s:#'\"\[{-][^:：\r\n]*+：", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]+")
_NO_FIELDS = ("---", "...", "```", "~~~")
_INVISIBLE = dict.fromkeys(
    code
    # Control characters; the soft hyphen; what has no width or turns the direction; variation selectors; the byte order
    # mark.
    for first, last in (
        *((0x0, 0x8), (0xB, 0xC), (0xE, 0x1F), (0x7F, 0x84), (0x86, 0x9F), (0xAD, 0xAD)),
        *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    )
    for code in range(first, last + 1)
)


class FrontMatter(NamedTuple):
    """A front matter that was read.

    Args:
        metadata: Its fields; empty if it is not valid.
        permissions: Who may read the note.
        fault: Why it is not valid; None if it is.
        fault_line: 1-based line of the YAML where that was seen; 0 if it is the whole.
    """

    metadata: Mapping[str, Any]
    permissions: Permissions
    fault: str | None = None
    fault_line: int = 0


def read_front_matter(text: str | None) -> FrontMatter:
    """Read the YAML of a front matter; None and an empty one have no fields."""
    if text is None:
        return FrontMatter({}, PUBLIC)
    try:
        value = read_yaml(text)
        if value is not None and not isinstance(value, dict):
            raise UnusableYamlError("not a list of `key: value` fields")
        _check_placeholders(text, value or {})
    except UnusableYamlError as fault:
        hidden = _MENTIONS_PERMISSION.search(text.translate(_INVISIBLE)) is not None
        reason = f"{fault}; a field is written `name: value`, without `：`" if _WIDE_COLON.search(text) else str(fault)
        return FrontMatter({}, UNREADABLE_PERMISSIONS if hidden else PUBLIC, reason, fault.line)
    metadata = value or {}
    return FrontMatter(metadata, stated_permissions(metadata))


def stated_permissions(metadata: Mapping[str, Any]) -> Permissions:
    """Return who may read a note with these fields."""
    stated = ({_plain(key): value} for each in _with_merged(metadata) for key, value in each.items())
    return merge_permissions(*map(permissions_in, stated))


def _check_placeholders(text: str, metadata: Mapping[str, Any]) -> None:
    """Refuse a front matter of which a template may make one that states other permissions, were it used."""
    if not holds_placeholder(text):
        return
    names = [(key, True) for each in _with_merged(metadata) for key in each if holds_placeholder(key)]
    for written, may_be_field in (*names, *placeholders_in(text)):
        # `title: {{permission}}` is harmless; a line that is a command may become a field.
        states = _MENTIONS_PERMISSION if may_be_field else _STATES_PERMISSION
        if states.search(written.translate(_INVISIBLE)):
            raise UnusableYamlError("a template's command stands where permissions are stated")


def _with_merged(metadata: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield ``metadata`` and the mappings that ``<<`` names: YAML 1.2 merges none, but authors may think it does."""
    waiting: list[Any] = [metadata]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            yield each
            waiting.append(each.get("<<"))
        elif isinstance(each, list):
            waiting.extend(each)


def meant_as_front_matter(text: str) -> bool:
    """Say whether ``text``, which has no front matter, begins with one that failed and states permissions.

    It was never closed, or something stands before it that can hardly be seen: its author wanted the note restricted
    all the same.
    """
    lines = _visible_lines(text)
    return next(lines, "") == "---" and _mentions_permission_field(lines)


def goes_on_as_front_matter(text: str) -> bool:
    """Say whether ``text``, which follows a front matter that cannot be read, states permissions as fields.

    A ``---`` inside a value ends a front matter too early, and the rest of its fields end up in the text.
    """
    return _mentions_permission_field(_visible_lines(text))


def _mentions_permission_field(lines: Iterator[str]) -> bool:
    """Say whether a line states permissions before one that ends all fields."""
    for line in lines:
        if line.startswith(_NO_FIELDS):
            return False
        if _PERMISSION_FIELD.match(line):
            return True
    return False


def _visible_lines(text: str) -> Iterator[str]:
    """Yield the lines that aren't blank, without characters that nobody sees."""
    for found in _LINE.finditer(text):
        line = found.group().translate(_INVISIBLE).strip()
        if line:
            yield line


def tags_in(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags of ``tags`` and ``tag``, without ``#``.

    A text is cut at its commas, and at its blanks if it has no comma; ``a, north sea`` is two tags.
    """
    return unique(
        tag.strip().lstrip("#").strip()
        for value in _fields(metadata, "tags", "tag")
        for text in _texts(value)
        for tag in (text.split(",") if "," in text else text.split())
    )


def aliases_in(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of ``aliases`` and ``alias``; a text that is no item of a list is cut at its commas."""
    return unique(
        alias.strip()
        for value in _fields(metadata, "aliases", "alias")
        for text in _texts(value)
        for alias in (text.split(",") if isinstance(value, str) else [text])
    )


def title_in(metadata: Mapping[str, Any]) -> str:
    """Return the field ``title`` if it is a text, a number or a date, else an empty text."""
    for title in _fields(metadata, "title"):
        if isinstance(title, (str, int, float, date)) and not isinstance(title, bool):
            return str(title).strip()
    return ""


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` without empty ones and repetitions, whatever their case, the first spelling kept."""
    kept: dict[str, str] = {}
    for name in names:
        if name:
            kept.setdefault(name.casefold(), name)
    return tuple(kept.values())


def _fields(metadata: Mapping[str, Any], *names: str) -> list[Any]:
    """Return the values of the fields ``names``, whatever the case of their keys."""
    return [value for key, value in metadata.items() if _plain(key) in names]


def _plain(key: str) -> str:
    """Return a key without what nobody sees, which gets in with pasted text, and in lower case."""
    return (key if key.isascii() and key.isprintable() else key.translate(_INVISIBLE)).strip().casefold()


def _texts(value: Any) -> list[str]:
    """Return the texts in a value of any shape, nested lists included."""
    if isinstance(value, (list, tuple, set)):
        return [text for each in value for text in _texts(each)]
    if value is None or isinstance(value, (dict, bool)):
        return []
    return [str(value)]
