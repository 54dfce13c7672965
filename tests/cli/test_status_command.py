import json

import pytest


@pytest.fixture
def file(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    (notes / "empty.md").write_text("\n", encoding="utf-8")
    (notes / "b\u202eevil.md").write_bytes(b"caf\xe9")
    file = tmp_path / "c.toml"
    file.write_text("vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    return file


def test_the_summary_tells_where_what_and_when(run, file):
    run("index", "--config", file)
    result = run("status", "--config", file)
    assert result.exit_code == 0, result.output
    for told in ("notes", "index", "hashing:1024 (1024 dimensions)", "1 indexed, 1 skipped, 1 failed", "2 added"):
        assert told in result.stdout
    assert "Unfinished" not in result.stdout
    data = json.loads(run("status", "--config", file, "--json").stdout)
    assert (data["notes"], data["chunks"]) == ({"indexed": 1, "skipped": 1, "failed": 1}, 1)
    assert (data["last_run"]["added"], data["is_being_written"], data["unfinished"]) == (2, False, {})


def test_the_list_tells_what_became_of_each_note(run, file):
    run("index", "--config", file)
    lines = run("status", "--config", file, "--notes").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["indexed", "failed", "skipped"]
    assert "\u202e" not in lines[1]
    assert "undecodable: not valid utf-8" in lines[1]
    data = json.loads(run("status", "--config", file, "--notes", "--json").stdout)
    assert [(each["state"], each["chunks"]) for each in data] == [("indexed", 1), ("failed", 0), ("skipped", 0)]
    failed = json.loads(run("status", "--config", file, "--notes", "--failed", "--json").stdout)
    assert failed == data[1:2]


def test_without_an_index_it_says_so_and_makes_none(run, file):
    result = run("status", "--config", file)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "There is no index" in result.stderr
    assert not (file.parent / "index").exists()


def test_failed_alone_is_a_wrong_usage(run, file):
    assert run("status", "--config", file, "--failed").exit_code == 2
