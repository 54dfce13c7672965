import sqlite3
from pathlib import Path

import pytest

from obsirag.catalogue import schema


def tables(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    return sorted(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def test_an_older_file_is_brought_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path("x.sqlite")
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection, file)
    before = tables(connection)
    steps = (*schema.MIGRATIONS, "CREATE TABLE second (a); CREATE TABLE third (b);")
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", len(steps))
    schema.migrate(connection, file)
    assert [each for each in tables(connection) if each not in before] == [
        ("second", "CREATE TABLE second (a)"),
        ("third", "CREATE TABLE third (b)"),
    ]
    connection.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection, Path("x.sqlite"))
    before = tables(connection)
    steps = (*schema.MIGRATIONS, "CREATE TABLE second (a); CREATE TABLE second (a);")
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", len(steps))
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(connection, Path("x.sqlite"))
    assert tables(connection) == before
    connection.close()
