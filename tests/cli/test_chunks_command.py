import json
import re

import pytest

from chunk_pages import ShownPage
from obsirag.vault import Vault

NOTE = "GAS/伤害计算.md"


def test_a_note_is_shown_as_it_is_cut(run, indexed, sample_vault):
    result = run("chunks", NOTE, "--config", indexed)
    assert result.exit_code == 0
    assert "1 of " in result.stdout
    assert "lines " in result.stdout


def test_chunks_as_json_hold_text_and_metadata(run, indexed, sample_vault):
    found = json.loads(run("chunks", NOTE, "--config", indexed, "--json").stdout)
    assert [each["metadata"]["chunk_index"] for each in found] == list(range(len(found)))
    assert {each["metadata"]["source"] for each in found} == {NOTE}


def test_a_note_can_be_named_by_its_file(run, indexed, sample_vault):
    by_file = run("chunks", sample_vault / NOTE, "--config", indexed)
    assert by_file.stdout == run("chunks", NOTE, "--config", indexed).stdout


@pytest.mark.parametrize("note", ["no such note.md", "../secret.md", ""])
def test_a_note_that_is_not_there_is_one_message(run, indexed, note):
    result = run("chunks", note, "--config", indexed)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")


def test_a_report_of_the_vault_and_of_a_note(run, indexed, sample_vault):
    result = run("chunks", "--report", "--config", indexed)
    assert result.exit_code == 0
    found = json.loads(run("chunks", "--report", "--config", indexed, "--json").stdout)
    assert found["notes"] == len(Vault(sample_vault).paths())
    assert result.stdout.startswith(f"{found['chunks']} chunks of {found['notes']} notes\n")
    assert found["limits"] == [{"unit": "characters", "chunk_size": 1000, "max_chunk_size": 2000}]
    assert {each["code"] for each in found["warnings"]} >= {"missing-note"}
    one = json.loads(run("chunks", NOTE, "--report", "--config", indexed, "--json").stdout)
    chunks = json.loads(run("chunks", NOTE, "--config", indexed, "--json").stdout)
    assert (one["notes"], one["chunks"]) == (1, len(chunks))
    assert one["longest"]["characters"] == max(len(each["page_content"]) for each in chunks)


@pytest.fixture
def vault(tmp_path):
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_text("# Title\n\nSome *words* <b>here</b>.\n", encoding="utf-8")
    return root


def test_the_settings_of_the_splitter_count(run, vault, tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\nsplitter: {chunk_size: 3, unit: words}\n")
    found = json.loads(run("chunks", "--report", "--config", file, "--json").stdout)
    assert found["limits"] == [{"unit": "words", "chunk_size": 3, "max_chunk_size": 6}]
    assert [each["unit"] for each in found["lengths"]] == ["characters", "words"]
    assert not (tmp_path / "index").exists()


def test_each_note_is_held_to_the_limits_of_its_kind(run, vault, tmp_path):
    (vault / "manual.md").write_text("# Manual\n\n" + "Do this, then that. " * 60, encoding="utf-8")
    file = tmp_path / "c.yaml"
    file.write_text(
        "vault: notes\nindex: index\n"
        "splitter: {chunk_size: 500, rules: [{paths: [manual.md], chunk_size: 20, unit: words}]}\n"
    )
    found = json.loads(run("chunks", "--report", "--config", file, "--json").stdout)
    assert [(each["unit"], each["chunk_size"], each["max_chunk_size"]) for each in found["limits"]] == [
        ("characters", 500, 1000),
        ("words", 20, 40),
    ]
    assert found["oversize"] == []
    one = json.loads(run("chunks", "manual.md", "--report", "--config", file, "--json").stdout)
    assert one["limits"] == found["limits"][1:]
    page = tmp_path / "page.html"
    assert run("chunks", "manual.md", "--config", file, "--html", page).exit_code == 0
    assert "chunk_size 20, max_chunk_size 40 words" in page.read_text(encoding="utf-8")


def test_a_note_that_cannot_be_read_is_told_and_fails(run, vault):
    (vault / "odd.md").write_bytes(b"\xff")
    result = run("chunks", "--report", "--vault", vault)
    assert result.exit_code == 1
    assert "1 chunk of 1 note\n" in result.stdout
    assert "undecodable" in result.stdout
    for options in (["--report"], ["--html", vault.parent / "p.html"], []):
        result = run("chunks", "odd.md", "--vault", vault, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("Error: ")
    assert not (vault.parent / "p.html").exists()


def test_an_empty_vault_has_a_report(run, tmp_path):
    result = run("chunks", "--report", "--vault", tmp_path)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "0 chunks of 0 notes")


def test_a_page_is_written_and_written_over(run, vault, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("old")
    result = run("chunks", "a.md", "--vault", vault, "--html", file)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    shown = ShownPage(file.read_text(encoding="utf-8"))
    assert shown.text == Vault(vault).render("a.md").text
    assert list(shown.chunks) == ["chunk-1"]


def test_nothing_but_a_page_is_ever_written_over(run, vault, tmp_path):
    note = (vault / "a.md").read_bytes()
    (tmp_path / "link.html").symlink_to(vault / "a.md")
    (tmp_path / "folder.html").mkdir()
    for file, said in (
        (vault / "a.md", "must end in .html"),
        (tmp_path / "link.html", "must end in .html"),
        (tmp_path / "folder.html", "is a folder"),
        (tmp_path / "gone" / "page.html", "there is no folder"),
        (vault / "a.md" / "page.html", "there is no folder"),
        ("", "empty"),
    ):
        result = run("chunks", "a.md", "--vault", vault, "--html", file)
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in " ".join(re.sub("[│╭╮╰╯─]", " ", result.stderr).split())
    assert (vault / "a.md").read_bytes() == note


def test_a_file_that_cannot_be_written_is_one_message(run, vault, tmp_path):
    result = run("chunks", "a.md", "--vault", vault, "--html", tmp_path / f"{'x' * 300}.html")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--json"],
        ["--html", "p.html"],
        ["a.md", "--html", "p.html", "--json"],
        ["a.md", "--html", "p.html", "--report"],
        ["--report", "--html", "p.html"],
    ],
)
def test_options_that_do_not_go_together_are_one_usage_error(run, vault, monkeypatch, tmp_path, options):
    monkeypatch.chdir(tmp_path)
    result = run("chunks", *options, "--vault", vault)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "p.html").exists()
