import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from obsirag.errors import CatalogueError
from obsirag.feedback import Mark, MarksFile

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def mark(name, **values):
    return Mark(**{"id": name, "kind": "good", "question": "问？", "sources": ("a.md",), "at": AT, **values})


@pytest.fixture
def file(tmp_path):
    return MarksFile(tmp_path / "feedback.sqlite")


def test_reading_makes_no_file(file):
    assert file.read() == (None, [])
    assert file.state() is None
    assert not file.file.exists()


def test_marks_come_back_as_they_were_in_the_order_in_which_they_were_made(file):
    made = [mark("b", words="w\n二", labels=("x", "y")), mark("a", kind="correction", sources=())]
    for each in made:
        file.add(each)
    assert file.read()[1] == made


def test_each_change_gives_a_state_that_never_was(file):
    states = [file.state()]
    for change in (lambda: file.add(mark("a")), lambda: file.remove("a"), lambda: file.add(mark("a"))):
        change()
        assert file.state() == file.read()[0]
        states.append(file.state())
    file.file.unlink()
    file.add(mark("a"))
    states.append(file.state())
    assert len(set(states)) == 5


def test_of_a_removed_mark_nothing_remains_in_the_file(file):
    file.add(mark("a", question="a secret question of mine"))
    assert b"a secret question" in file.file.read_bytes()
    file.remove("a")
    assert b"a secret question" not in file.file.read_bytes()


def test_marks_follow_renamed_notes(file):
    file.add(mark("a", sources=("a.md", "b.md")))
    file.rename({"a.md": "folder/c.md"})
    assert file.read()[1] == [mark("a", sources=("folder/c.md", "b.md"))]
    before = file.state()
    file.rename({"a.md": "d.md"})
    assert file.state() == before


def test_a_file_that_is_no_database_is_told_by_name(file):
    file.file.write_bytes(b"no database" * 1000)
    with pytest.raises(CatalogueError, match=r"feedback\.sqlite"):
        file.read()


def test_a_newer_file_is_left_alone(file):
    file.add(mark("a"))
    with sqlite3.connect(file.file) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(CatalogueError, match="newer obsirag"):
        file.add(mark("b"))


def test_several_writers_can_add_marks_at_once(file):
    def add_ten(name):
        for number in range(10):
            MarksFile(file.file).add(mark(f"{name}{number}"))

    with ThreadPoolExecutor() as pool:
        list(pool.map(add_ten, "abcd"))
    assert len(file.read()[1]) == 40
