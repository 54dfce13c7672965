"""Holds the page that compares obsirag with obsidiantools against what obsirag gives."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from obsirag.vault import Vault

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "compared-with-obsidiantools.md"
VERDICTS = {"equal", "different", "worse"}


class Case(NamedTuple):
    file: str
    what: str
    theirs: Any
    ours: Any
    verdict: str
    reason: str


def cases() -> list[Case]:
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            file, what, theirs, ours, verdict, reason = (cell.strip() for cell in line.split("|")[1:-1])
            expected = json.loads(theirs.strip("`")) if theirs else None
            given = expected if ours == "same" else json.loads(ours.strip("`"))
            found.append(Case(file.strip("`"), what, expected, given, verdict, reason))
    return found


CASES = cases()


@pytest.fixture(scope="module")
def data(test_data) -> Path:
    return test_data / "vaults" / "obsidiantools-tests" / "tests"


def seen(vault: Vault, path: str, case: Case) -> Any:
    """Return what obsirag gives of the kind that the case is about."""
    if case.what == "files":
        return vault.paths()
    if case.what == "unresolved":
        embedded = {link.target for note in vault.paths() for link in vault.note(note).links if link.embed}
        return sorted({name for names in vault.links.unresolved.values() for name in names} - embedded)
    note, rendered = vault.note(path), vault.render(path)
    match case.what:
        case "links" | "embeds":
            return [link.target for link in note.links if link.embed == (case.what == "embeds")]
        case "tags":
            return list(note.tags)
        case "front matter":
            return dict(note.metadata)
        case "codes":
            return [finding.code for finding in rendered.diagnostics]
        case "text":
            return "shown" if rendered.text.strip() else "blank"
        case "keeps":
            return case.ours if case.ours in rendered.text else rendered.text
    raise AssertionError(case.what)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}-{case.what}")
def test_the_page_says_what_is_so(case, data):
    folder, _, path = case.file.partition("/")
    assert seen(Vault(data / folder), path, case) == case.ours
    assert case.verdict in VERDICTS
    assert (case.theirs == case.ours) == (case.verdict == "equal")
    assert bool(case.reason) == (case.verdict != "equal")


def test_every_file_of_the_test_data_is_on_the_page(data):
    files = {path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file()}
    named = re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) - {"vault-stub"} == files
