"""Holds the page that compares obsirag with obsidian-export against what both give."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from markdown_it import MarkdownIt

from obsirag.markdown import find_links, split_front_matter
from obsirag.vault import Vault

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "compared-with-obsidian-export.md"
VERDICTS = {"equal", "links", "different"}
ADDED = {"title", "tags", "aliases", "links", "attachments"}


class Case(NamedTuple):
    name: str
    input: str
    verdict: str
    ours: list[str]
    theirs: list[str]
    reason: str

    @property
    def is_absent(self) -> bool:
        return self.theirs == ["absent"]


def strings(cell: str) -> list[str]:
    """Return the code spans of a cell, with an empty text for `nothing`."""
    words = re.findall(r"`([^`]+)`|(nothing|absent|kept)", cell.replace("\\|", "|"))
    return ["" if word == "nothing" else code or word for code, word in words]


def cases() -> list[Case]:
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            case, verdict, ours, theirs, reason = re.split(r"(?<!\\)\|", line)[1:-1]
            names = strings(case)
            found.append(Case(names[0], names[-1], verdict.strip(), strings(ours), strings(theirs), reason.strip()))
    return found


CASES = cases()


@pytest.fixture(scope="module")
def data(test_data) -> Path:
    return test_data / "vaults" / "obsidian-export-testdata" / "tests" / "testdata"


def rendered(data: Path, name: str):
    folder, _, note = name.partition("/")
    return Vault(data / "input" / folder).render(note)


def with_words_of_links(text: str) -> str:
    """Return ``text`` with the words that Obsidian shows in the place of its wikilinks."""
    for link in reversed([link for link in find_links(text) if link.wiki and not link.embed]):
        shown = " > ".join(name for name in (link.target, *link.subpath.split("#")) if name)
        text = text[: link.start] + (shown if link.alias is None else link.alias) + text[link.end :]
    return text


def as_read(text: str) -> str:
    """Return what a reader of CommonMark makes of ``text``, links to files being their words."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    return re.sub(r'<a href="(?!https?:)[^"]*">(.*?)</a>', r"\1", html, flags=re.DOTALL)


def cut(text: str, pieces: list[str]) -> str:
    for number, piece in enumerate(pieces):
        if piece:
            assert piece in text, f"{piece!r} is not there"
            # What only one side has goes; what both have, each in its way, gets one name.
            text = text.replace(piece, f"⟦{number}⟧", 1)
    return text


def compared(case: Case, data: Path, words_of_links: bool) -> tuple[object, object]:
    """Return the front matter and text of both sides, without what the table says of the case."""
    ours, theirs = case.ours, case.theirs
    note = rendered(data, case.input)
    expected = (data / "expected" / case.name).read_text(encoding="utf-8")
    paired = {number for number, pair in enumerate(zip(ours, theirs, strict=True)) if all(pair)}
    alone = re.compile("|".join(f"⟦{number}⟧" for number in range(len(ours)) if number not in paired) or r"(?!)")
    expected = alone.sub("", cut(expected, theirs))
    text = alone.sub("", cut(note.text, ours))
    head, offset = split_front_matter(expected)
    fields = yaml.safe_load(head or "") or {}
    own = {key: value for key, value in note.metadata.items() if key in fields or key not in ADDED}
    text = with_words_of_links(text) if words_of_links else text
    return (fields, as_read(expected[offset:])), (own, as_read(text))


def test_every_case_of_the_test_data_is_on_the_page(data):
    expected = {path.relative_to(data / "expected").as_posix() for path in (data / "expected").rglob("*.md")}
    inputs = {path.relative_to(data / "input").as_posix() for path in (data / "input").rglob("*.md")}
    named = [case.name for case in CASES]
    assert len(named) == len(set(named))
    assert {case.name for case in CASES if not case.is_absent} == expected
    others = re.findall(r"`([^`]+\.md)`", PAGE.read_text(encoding="utf-8").rpartition("| equal |")[2])
    assert sorted({case.input for case in CASES} | set(others)) == sorted(inputs)
    assert not set(named) & set(others)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_page_says_what_is_so(case, data):
    assert case.verdict in VERDICTS
    assert bool(case.reason) == (case.verdict == "different")
    if case.is_absent:
        assert case.ours == ["kept"]
        assert not (data / "expected" / case.name).exists()
        assert rendered(data, case.input).text.strip()
        return
    theirs, ours = compared(case, data, words_of_links=True)
    assert ours == theirs
    if case.verdict == "links":
        theirs, ours = compared(case, data, words_of_links=False)
        assert ours != theirs


@pytest.mark.parametrize("case", [case for case in CASES if case.verdict == "equal"], ids=lambda case: case.name)
def test_equal_cases_need_no_look_at_links(case, data):
    theirs, ours = compared(case, data, words_of_links=False)
    assert ours == theirs


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.ours and not case.is_absent], ids=lambda case: case.name
)
def test_differences_are_real(case, data):
    note, expected = rendered(data, case.input), (data / "expected" / case.name).read_text(encoding="utf-8")
    for ours, theirs in zip(case.ours, case.theirs, strict=True):
        assert ours != theirs
        assert not theirs or theirs not in note.text
        assert theirs.startswith(ours) or ours not in expected
