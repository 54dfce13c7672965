from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from obsirag.catalogue import (
    Catalogue,
    ChunkRecord,
    FileState,
    NoteRecord,
    chunk_documents,
    documents_of_note,
    known_notes,
    parent_documents,
    pending_vector_ids,
    publish,
    write_meta,
)
from obsirag.catalogue.catalogue import FILE_NAME
from obsirag.catalogue.chunks import ParentRecord
from obsirag.catalogue.schema import MIGRATIONS, SCHEMA_VERSION
from obsirag.errors import CatalogueError

BOSS = (("boss",),)
STATE = FileState(1, 2, 3, 4)


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue.open(tmp_path)


def chunk(name: str, **metadata: object) -> ChunkRecord:
    return ChunkRecord(f"v-{name}", f"c-{name}", f"text of {name}", {"title": "T", "n": name, **metadata}, f"h-{name}")


def note(path: str, *chunks: ChunkRecord, **fields: object) -> NoteRecord:
    return NoteRecord(path, STATE, "file", "render", "settings", chunks=chunks, **fields)  # type: ignore[arg-type]


def put(catalogue: Catalogue, *records: NoteRecord, removed: tuple[str, ...] = ()) -> None:
    with catalogue.writing() as connection:
        publish(connection, records, removed)


def test_a_new_catalogue_has_the_current_schema(catalogue: Catalogue) -> None:
    with catalogue.reading() as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION == len(MIGRATIONS)
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert (catalogue.index_version, catalogue.model_id, catalogue.note_count()) == (0, None, 0)


def test_what_was_published_is_read_again(catalogue: Catalogue, tmp_path: Path) -> None:
    put(catalogue, note("a.md", chunk("one", tags=["x"]), chunk("two", tags=["x"])))
    catalogue.close()
    with Catalogue.open(tmp_path, create=False) as again, again.reading() as connection:
        first, second = documents_of_note(connection, "a.md", [""])
        assert (first.id, first.page_content) == ("c-one", "text of one")
        assert first.metadata == {"title": "T", "n": "one", "tags": ["x"]}
        assert second.metadata["n"] == "two"
        assert known_notes(connection)["a.md"].state == STATE
        assert again.index_version == 1


def test_a_new_version_replaces_the_old_one_and_its_vectors_wait_to_be_deleted(catalogue: Catalogue) -> None:
    put(catalogue, note("a.md", chunk("one"), chunk("two")))
    put(catalogue, note("a.md", chunk("two"), chunk("three")))
    with catalogue.reading() as connection:
        assert pending_vector_ids(connection) == ["v-one"]
        assert connection.execute("SELECT count(*) FROM terms").fetchone()[0] == catalogue.chunk_count() == 2
    put(catalogue, note("b.md", chunk("one")), removed=("a.md",))
    with catalogue.reading() as connection:
        assert pending_vector_ids(connection) == ["v-three", "v-two"]


def test_all_or_nothing(catalogue: Catalogue) -> None:
    put(catalogue, note("a.md", chunk("one")))
    with pytest.raises(CatalogueError), catalogue.writing() as connection:
        publish(connection, [note("a.md", chunk("two")), note("b.md", chunk("two"))], [])
    with catalogue.reading() as connection:
        assert [each.id for each in documents_of_note(connection, "a.md", [""])] == ["c-one"]
    assert catalogue.index_version == 1


def test_who_may_read_what(catalogue: Catalogue) -> None:
    secret = ChunkRecord("v-s", "c-s", "secret", {}, "h-s", access="KEY", permissions=BOSS)
    parent = ParentRecord("p", "long secret", {}, "KEY", BOSS)
    put(catalogue, note("a.md", chunk("one"), secret, parents=(parent,)))
    assert catalogue.readable_access_keys([]) == [""]
    assert catalogue.readable_access_keys(["boss"]) == ["", "KEY"]
    with catalogue.reading() as connection:
        assert set(chunk_documents(connection, ["v-one", "v-s", "v-none"], [""])) == {"v-one"}
        assert parent_documents(connection, ["p"], [""]) == {}
        assert parent_documents(connection, ["p"], ["KEY"])["p"].page_content == "long secret"
    put(catalogue, note("a.md", chunk("one")))
    assert catalogue.readable_access_keys(["boss"]) == [""]


def test_a_reader_sees_one_state_while_another_writes(catalogue: Catalogue) -> None:
    put(catalogue, note("a.md", chunk("one")))
    with catalogue.reading() as connection:
        before = documents_of_note(connection, "a.md", [""])
        put(catalogue, note("a.md", chunk("two")))
        assert documents_of_note(connection, "a.md", [""]) == before
    with catalogue.reading() as connection:
        assert documents_of_note(connection, "a.md", [""]) != before


def test_many_threads_read_while_one_writes(catalogue: Catalogue) -> None:
    put(catalogue, note("a.md", chunk("0"), chunk("1")))
    torn: list[object] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            with catalogue.reading() as connection:
                documents = documents_of_note(connection, "a.md", [""])
            numbers = [int(document.metadata["n"]) for document in documents]
            if len(numbers) != 2 or numbers[1] != numbers[0] + 1:
                torn.append(numbers)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(2, 60, 2):
        put(catalogue, note("a.md", chunk(str(number)), chunk(str(number + 1))))
    stop.set()
    for thread in threads:
        thread.join()
    assert torn == []


def test_a_missing_index_is_said(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no index"):
        Catalogue.open(tmp_path / "nowhere", create=False)
    assert not (tmp_path / "nowhere").exists()


def test_a_newer_schema_is_left_alone(tmp_path: Path) -> None:
    Catalogue.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(CatalogueError, match="newer obsirag"):
        Catalogue.open(tmp_path)


@pytest.mark.parametrize(
    "content", [b"this is no database at all, however long it is" * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_damaged_file_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(CatalogueError, match=r"damaged.*index the vault again"):
        Catalogue.open(tmp_path)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(CatalogueError, match="cannot be made"):
        Catalogue.open(tmp_path / "file" / "index")


def test_a_closed_catalogue_says_so(catalogue: Catalogue) -> None:
    catalogue.close()
    with pytest.raises(CatalogueError, match="closed"):
        catalogue.meta("x")


def test_another_model_is_named_with_the_way_out(catalogue: Catalogue) -> None:
    catalogue.check_model("any")
    with catalogue.writing() as connection:
        write_meta(connection, "model_id", "first")
    catalogue.check_model("first")
    with pytest.raises(CatalogueError, match=r"'first'.*'second'.*full=True"):
        catalogue.check_model("second")
