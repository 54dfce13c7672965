"""Permission labels: who may read a text.

A note names labels; a reader who has at least one of them may read it. Text that came through several notes needs one
label of each note's set, so permissions are a tuple of label sets, all to be met. The empty tuple is for everybody.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from obsirag.errors import ConfigError

__all__ = [
    "PUBLIC",
    "Permissions",
    "access_key",
    "labels_of",
    "may_read",
    "merge_permissions",
    "permissions_from_json",
    "permissions_in",
    "permissions_of",
    "permissions_to_json",
]

Permissions = tuple[tuple[str, ...], ...]
"""Label sets, all to be met; each sorted, without duplicates; the sets sorted among themselves."""

PUBLIC: Permissions = ()

_KEYS = ("permission", "permissions")


def permissions_of(metadata_value: object) -> Permissions:
    """Return the permissions that a front matter value of ``permission`` or ``permissions`` states.

    Args:
        metadata_value: A string, a list of them, or None. A value of any other shape is taken as text: a label that
            nobody has hides a note, where dropping it would show it.
    """
    if metadata_value is None:
        return PUBLIC
    values = metadata_value if isinstance(metadata_value, (list, tuple, set, frozenset)) else [metadata_value]
    labels = sorted({str(value).strip() for value in values if value is not None} - {""})
    if labels:
        return (tuple(labels),)
    return PUBLIC


def permissions_in(metadata: Mapping[Any, object]) -> Permissions:
    """Return the permissions that a note's metadata states; if it states several, all are to be met.

    Args:
        metadata: The front matter; ``permission`` and ``permissions`` count, whatever their case.
    """
    stated = (value for key, value in metadata.items() if str(key).strip().casefold() in _KEYS)
    return merge_permissions(*map(permissions_of, stated))


def merge_permissions(*parts: Permissions) -> Permissions:
    """Return the permissions of text that came under all of ``parts``."""
    return tuple(sorted({labels for part in parts for labels in part}))


def labels_of(value: object) -> tuple[str, ...]:
    """Return a caller's labels, as anybody may state them: one string is one label, None is none.

    Raises:
        ConfigError: If ``value`` is neither a string, nor a collection of strings, nor None.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, Mapping)):
        labels = tuple(value)
        if all(isinstance(label, str) for label in labels):
            return labels
    # A label may be as secret as what it guards, so that no value is told.
    raise ConfigError(f"Labels must be a string or a collection of strings; this {type(value).__name__} is neither.")


def may_read(permissions: Iterable[Collection[str]], labels: Collection[str]) -> bool:
    """Say whether a caller with ``labels`` may read text under ``permissions``."""
    return all(not set(labels).isdisjoint(labels_of_one) for labels_of_one in permissions)


def permissions_to_json(permissions: Permissions) -> list[str]:
    """Return ``permissions`` as chunk metadata holds them: each label set as a JSON list."""
    return [json.dumps(list(labels), ensure_ascii=False) for labels in permissions]


def permissions_from_json(value: object) -> Permissions:
    """Return the permissions that chunk metadata holds: what ``permissions_to_json`` wrote, or plain lists of labels.

    Text that is no JSON list counts as one label: a label that nobody has hides a text; dropping it would show it.
    """
    sets = value if isinstance(value, (list, tuple, set, frozenset)) else [value] if value else []
    # A JSON list without labels was not written here: it counts as the text that it is.
    return merge_permissions(*(permissions_of(_labels(each)) or permissions_of(each) for each in sets))


def _labels(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        labels = json.loads(value)
    except ValueError:
        return value
    return labels if isinstance(labels, list) else value


def access_key(permissions: Permissions) -> str:
    """Return the one scalar that stands for ``permissions`` in a store: empty for everybody, else JSON."""
    return json.dumps(permissions, ensure_ascii=False, separators=(",", ":")) if permissions else ""
