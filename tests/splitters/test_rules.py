from __future__ import annotations

import datetime
import unicodedata
from typing import Any

import pytest

from obsirag.splitters import ObsidianSplitter, SplitterRule


def matches(path: str = "a.md", metadata: dict[Any, Any] | None = None, **conditions: Any) -> bool:
    return SplitterRule(splitter=ObsidianSplitter(), **conditions).matches(path, metadata or {})


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("policies/**", "policies/a/b.md", True),
        ("policies/", "policies/a/b.md", True),
        ("policies/**", "old/policies/a.md", False),
        ("**/policies/**", "/home/kb/policies/a.md", True),
        ("faq*.md", "deep/down/faq-1.md", True),
        ("/faq*.md", "deep/down/faq-1.md", False),
        ("规定/", "规定/请假.md", True),
        (unicodedata.normalize("NFD", "Prüfung/"), unicodedata.normalize("NFC", "Prüfung/a.md"), True),
        (unicodedata.normalize("NFC", "Prüfung/"), unicodedata.normalize("NFD", "Prüfung/a.md"), True),
    ],
)
def test_paths_match_as_in_gitignore(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, paths=[pattern]) is expected


def test_the_last_pattern_that_matches_decides() -> None:
    paths = ["policies/**", "!policies/drafts/**"]
    assert matches("policies/a.md", paths=paths)
    assert not matches("policies/drafts/a.md", paths=paths)


@pytest.mark.parametrize("wanted", ["manual", "#Manual", "manual/", " MANUAL "])
@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["other", "manual"], True),
        (("manual/setup",), True),
        (["#Manual"], True),
        ("other, manual", True),
        (["manuals"], False),
        (["setup/manual"], False),
        ([], False),
        (None, False),
        (7, False),
    ],
)
def test_a_tag_stands_for_those_nested_in_it_too(wanted: str, tags: Any, expected: bool) -> None:
    assert matches(metadata={"tags": tags}, tags=[wanted]) is expected
    assert matches(metadata={"tags": tags}, tags=["nothing", wanted]) is expected


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("faq", "faq", True),
        (" FAQ ", "faq", True),
        (["howto", "faq"], "faq", True),
        ("faq", ["howto", "faq"], True),
        ("faqs", "faq", False),
        (True, True, True),
        ("true", True, True),
        (1, True, False),
        (3, 3, True),
        (3.0, 3, True),
        ("3", 3, True),
        (datetime.date(2024, 1, 2), "2024-01-02", True),
        ("2024-01-02", datetime.date(2024, 1, 2), True),
        (None, "none", False),
        ({"faq": 1}, "faq", False),
        ([["faq"]], "faq", False),
        (unicodedata.normalize("NFD", "Prüfung"), unicodedata.normalize("NFC", "prüfung"), True),
    ],
)
def test_a_field_must_have_or_hold_the_value(value: Any, wanted: Any, expected: bool) -> None:
    assert matches(metadata={"type": value}, fields={"type": wanted}) is expected
    assert matches(metadata={"Type": value}, fields={"type": wanted}) is expected
    assert not matches(metadata={"kind": value}, fields={"type": wanted})


def test_all_conditions_must_be_met() -> None:
    conditions: dict[str, Any] = {"paths": ["a/"], "tags": ["t"], "fields": {"x": 1, "y": 2}}
    metadata = {"tags": ["t"], "x": 1, "y": 2}
    assert matches("a/n.md", metadata, **conditions)
    assert not matches("b/n.md", metadata, **conditions)
    for name in metadata:
        assert not matches("a/n.md", {**metadata, name: "other"}, **conditions)


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ({}, "needs a condition"),
        ({"paths": ["a\\b"]}, r"pattern 'a\\\\b' has a backslash between folders"),
        ({"paths": ["# a"]}, "can match no path"),
        ({"paths": ["!a"]}, "can match no path"),
        ({"paths": [""]}, "can match no path"),
        ({"paths": "a/"}, r"paths must be a list of texts, not a single text: write \['a/'\]"),
        ({"tags": "a"}, "tags must be a list"),
        ({"tags": ["#"]}, "a tag of a rule is empty"),
        ({"fields": {"a": []}}, "no value to compare"),
    ],
)
def test_a_condition_that_no_note_can_meet_is_refused(conditions: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SplitterRule(splitter=ObsidianSplitter(), **conditions)
