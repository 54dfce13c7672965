import json

from obsirag.cli.index import print_failures, print_report
from obsirag.records import Diagnostic, IndexReport


def write(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_an_index_is_made_and_kept_up_to_date(run, tmp_path):
    notes = tmp_path / "notes"
    write(notes, "a.md", "# Bread\n\nFlour and water.\n")
    write(notes, "b.md", "# Tea\n\nLeaves and water.\n")
    write(tmp_path, "c.toml", "vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    first = run("index", "--config", tmp_path / "c.toml")
    assert first.exit_code == 0, first.output
    assert "2 added" in first.stdout
    assert str(tmp_path / "index") in first.stdout

    again = run("index", "--config", tmp_path / "c.toml", "--json")
    report = json.loads(again.stdout)
    assert (report["unchanged"], report["embedded"]) == (["a.md", "b.md"], 0)

    write(notes, "a.md", "# Bread\n\nFlour, water and salt.\n")
    (notes / "b.md").unlink()
    changed = json.loads(run("index", "--config", tmp_path / "c.toml", "--json").stdout)
    assert (changed["changed"], changed["deleted"]) == (["a.md"], ["b.md"])

    full = json.loads(run("index", "--config", tmp_path / "c.toml", "--json", "--full").stdout)
    assert full["unchanged"] == ["a.md"]


def test_what_was_noticed_is_counted_and_the_first_are_shown(capsys, tmp_path):
    findings = tuple(Diagnostic("a.md", line, "missing-note", "no such note") for line in range(1, 31))
    failed = (Diagnostic("b.md", 0, "undecodable", "not UTF-8"),)
    print_report(IndexReport(added=("a.md",), failed=failed, diagnostics=findings), tmp_path)
    shown = capsys.readouterr()
    assert "30 × missing-note" in shown.out
    assert "a.md:10:" in shown.out
    assert "a.md:11:" not in shown.out
    assert "and 20 more" in shown.out
    assert "Failed: undecodable: not UTF-8\n  in b.md\n" in shown.err


def test_a_reason_that_fails_many_notes_is_told_once(capsys):
    print_failures([Diagnostic(f"{number}.md", 0, "embedding-failed", "no server") for number in range(25)])
    shown = capsys.readouterr().err
    assert shown.count("no server") == 1
    assert "in 0.md, " in shown
    assert "and 15 more" in shown


def test_a_note_that_fails_shows_in_the_exit_code_and_the_others_are_indexed(run, tmp_path):
    write(tmp_path / "notes", "a.md", "# Bread\n\nFlour and water.\n")
    (tmp_path / "notes" / "b.md").write_bytes(b"caf\xe9")
    write(tmp_path, "c.toml", "vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    result = run("index", "--config", tmp_path / "c.toml")
    assert result.exit_code == 1
    assert "1 added" in result.stdout
    assert result.stderr.startswith("Failed: undecodable: ")
    assert "in b.md" in result.stderr
