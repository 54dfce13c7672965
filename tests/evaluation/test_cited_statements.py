from pathlib import Path

import pytest

from obsirag.evaluation.cited_statements import support
from obsirag.evaluation.note_files import NoteFiles
from obsirag.records import Citation
from obsirag.vault import Vault

LINES = "The respawn timer is 8 seconds.\n存档间隔 180 秒，战斗中不触发 `AutoSave`。\n"


@pytest.fixture
def notes(tmp_path: Path) -> NoteFiles:
    (tmp_path / "a.md").write_text(LINES, encoding="utf-8")
    return NoteFiles(Vault(tmp_path))


def cite(number: int, line: int) -> Citation:
    quote = LINES.splitlines()[line - 1]
    return Citation(
        number=number, source="a.md", title="A", headings=[], start_line=line, end_line=line, quote=quote, link=""
    )


BOTH = [cite(1, 1), cite(2, 2)]


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("The respawn timer is 8 seconds [1].", 1.0),
        ("The respawn timer is 9 seconds [1].", 0.0),
        ("The respawn timer is not 8 seconds [1].", 0.0),
        ("自动存档的间隔是 180 秒 [2]。战斗中会触发 [2]。", 0.5),
        ("The respawn timer is 8 seconds [1]. Ammo is unlimited [1].", 0.5),
        ("The respawn timer is 8 seconds [1][2].", 0.5),
        ("The respawn timer is 8 seconds [7].", 0.0),
        ("The respawn timer is 8 seconds.", None),
    ],
)
def test_a_statement_is_supported_by_the_passage_cited_for_it(notes, answer, share) -> None:
    assert support(answer, BOTH, notes) == share


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("`AutoSave` runs every 180 seconds [2].", 1.0),
        ("`AutoSave` runs every 200 seconds [2].", 0.0),
        ("Saving happens by itself [2].", None),  # nothing that could be compared
        ("复活计时是 8 秒 [1]。", 1.0),
    ],
)
def test_across_languages_only_names_and_numbers_are_compared(notes, answer, share) -> None:
    assert support(answer, BOTH, notes) == share


def test_a_page_of_the_web_supports_by_its_quote(notes) -> None:
    page = Citation(
        number=1,
        source="https://example.org",
        title="Timers",
        headings=[],
        start_line=0,
        end_line=0,
        quote="The timer is 8 s.",
        link="https://example.org",
    )
    assert support("The timer is 8 s [1].", [page], notes) == 1.0
