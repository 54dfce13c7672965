from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from obsirag.catalogue import (
    Catalogue,
    ChunkRecord,
    FileState,
    NoteRecord,
    chunk_documents,
    known_notes,
    parent_documents,
    pending_vector_ids,
    publish,
    schema,
    vector_ids_of,
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


def chunks_of(connection: sqlite3.Connection, path: str) -> list[Document]:
    ids = vector_ids_of(connection, path)
    documents = chunk_documents(connection, ids, [""])
    return [documents[each] for each in ids if each in documents]


def test_a_new_catalogue_has_the_current_schema(catalogue: Catalogue) -> None:
    with catalogue.reading() as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION == len(MIGRATIONS)
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert (catalogue.index_version, catalogue.model_id, catalogue.note_count()) == (0, None, 0)


def test_what_was_published_is_read_again(catalogue: Catalogue, tmp_path: Path) -> None:
    put(catalogue, note("a.md", chunk("one", tags=["x"]), chunk("two", tags=["x"])))
    catalogue.close()
    with Catalogue.open(tmp_path, create=False) as again, again.reading() as connection:
        first, second = chunks_of(connection, "a.md")
        assert (first.id, first.page_content) == ("c-one", "text of one")
        assert first.metadata == {"title": "T", "n": "one", "tags": ["x"]}
        assert second.metadata["n"] == "two"
        assert known_notes(connection, ["a.md"])["a.md"].state == STATE
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
        assert [each.id for each in chunks_of(connection, "a.md")] == ["c-one"]
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
        before = chunks_of(connection, "a.md")
        put(catalogue, note("a.md", chunk("two")))
        assert chunks_of(connection, "a.md") == before
    with catalogue.reading() as connection:
        assert chunks_of(connection, "a.md") != before


def test_many_threads_read_while_one_writes(catalogue: Catalogue) -> None:
    put(catalogue, note("a.md", chunk("0"), chunk("1")))
    torn: list[object] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            with catalogue.reading() as connection:
                documents = chunks_of(connection, "a.md")
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


def test_a_full_disk_is_called_a_full_disk(catalogue: Catalogue) -> None:
    put(catalogue, note("a.md", chunk("one")))
    with catalogue.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CatalogueError, match="disk is full") as told, catalogue.writing() as connection:
        write_meta(connection, "large", "x" * 1_000_000)
    assert "rollback" not in str(told.value)
    assert "damaged" not in str(told.value)
    assert catalogue.note_count() == 1


@pytest.mark.parametrize("lend", [Catalogue.writing, Catalogue.reading])
def test_a_transaction_that_sqlite_ended_itself_does_not_hide_why(catalogue: Catalogue, lend: Any) -> None:
    write = "INSERT OR ROLLBACK INTO meta VALUES ('key', 'value')"
    with catalogue.writing() as connection:
        connection.execute(write)
    with pytest.raises(CatalogueError, match="UNIQUE"), lend(catalogue) as connection:
        connection.execute(write)
    assert catalogue.meta("key") == "value"


def test_a_migration_that_sqlite_ended_itself_does_not_hide_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "INSERT OR ROLLBACK INTO twice VALUES (1);"
    monkeypatch.setattr(schema, "MIGRATIONS", (f"CREATE TABLE twice (n UNIQUE); {row} {row}",))
    with pytest.raises(CatalogueError, match="UNIQUE"):
        Catalogue.open(tmp_path)
