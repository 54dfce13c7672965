"""Which notes a splitter is for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pathspec import GitIgnoreSpec

from obsirag.records.path_patterns import compile_patterns
from obsirag.splitters.splitter import ObsidianSplitter

__all__ = ["SplitterRule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitterRule:
    """A splitter for the notes of one kind: those that meet all conditions given.

    Args:
        splitter: What cuts these notes.
        paths: Patterns in gitignore syntax; the note's path must match.
        tags: The note must have one of these tags, or one nested in it; ``#`` and letter case don't matter.
        fields: For each front matter field, the value it must have or hold in its list, or several that will do. They
            are compared as text, without letter case.

    Raises:
        ValueError: If there is no condition, one that no note can meet, or a pattern that cannot be read.
    """

    splitter: ObsidianSplitter
    paths: Sequence[str] = ()
    tags: Sequence[str] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    _spec: GitIgnoreSpec = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the conditions."""
        for name in ("paths", "tags"):
            if isinstance(getattr(self, name), str):
                raise ValueError(f"{name} must be a list of texts, not a single text: write [{getattr(self, name)!r}]")
        if not (self.paths or self.tags or self.fields):
            raise ValueError("a rule needs a condition: `paths`, `tags` or `fields`")
        if not all(map(_tag, self.tags)):
            raise ValueError("a tag of a rule is empty")
        if any(not wanted for wanted in self.fields.values() if isinstance(wanted, (list, tuple, set, frozenset))):
            raise ValueError("a field of a rule has no value to compare with")
        object.__setattr__(self, "_spec", compile_patterns(self.paths, must_match=bool(self.paths)))

    def matches(self, path: str, metadata: Mapping[Any, Any]) -> bool:
        """Say whether a note is of this kind.

        Args:
            path: Its path.
            metadata: Its metadata: ``tags`` and the fields of its front matter.
        """
        return (
            (not self.paths or self._spec.match_file(unicodedata.normalize("NFC", path)))
            and (not self.tags or self._has_tag(metadata.get("tags")))
            and all(_holds(metadata, name, wanted) for name, wanted in self.fields.items())
        )

    def _has_tag(self, value: Any) -> bool:
        tags = [f"{_tag(tag)}/" for tag in _tags_in(value)]
        return any(tag.startswith(f"{_tag(wanted)}/") for tag in tags for wanted in self.tags)


def _tags_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return re.split(r"[\s,]+", value)
    return [each for each in value if isinstance(each, str)] if isinstance(value, (list, tuple, set, frozenset)) else []


def _tag(written: str) -> str:
    return _folded(written).removeprefix("#").strip("/")


def _holds(metadata: Mapping[Any, Any], name: str, wanted: Any) -> bool:
    key = _folded(name)
    found = {text for field_name, value in metadata.items() if _folded(field_name) == key for text in _texts(value)}
    return not found.isdisjoint(_texts(wanted))


def _texts(value: Any) -> list[str]:
    """Return what a value is compared by: one text for a scalar, those of its items for a list, none for the rest."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return [text for item in value if not isinstance(item, (list, tuple)) for text in _texts(item)]
    if value is None or isinstance(value, Mapping):
        return []
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return [value.isoformat() if isinstance(value, date) else _folded(value)]


def _folded(value: object) -> str:
    return unicodedata.normalize("NFC", str(value)).strip().casefold()
