import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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


def test_a_dry_run_tells_what_would_be_done_and_makes_nothing(run, tmp_path):
    notes = tmp_path / "notes"
    for number in range(25):
        write(notes, f"{number:02}.md", f"# Note\n\nwords {number}\n")
    write(tmp_path, "c.toml", "vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    result = run("index", "--config", tmp_path / "c.toml", "--dry-run")
    assert result.exit_code == 0, result.output
    assert "added     00.md\n" in result.stdout
    assert "added     … and 5 more" in result.stdout
    assert "25 added, 0 changed, 0 renamed, 0 deleted, 0 failed, 0 unchanged; 25 texts to embed" in result.stdout
    assert not (tmp_path / "index").exists()
    run("index", "--config", tmp_path / "c.toml")
    (notes / "00.md").rename(notes / "moved.md")
    (notes / "01.md").write_bytes(b"caf\xe9")
    shown = run("index", "--config", tmp_path / "c.toml", "--dry-run")
    assert shown.exit_code == 1
    assert "renamed   00.md -> moved.md\n" in shown.stdout
    assert "failed    01.md:0: undecodable" in shown.stdout
    plan = json.loads(run("index", "--config", tmp_path / "c.toml", "--dry-run", "--json").stdout)
    assert (plan["renamed"], plan["to_embed"], len(plan["unchanged"])) == ([["00.md", "moved.md"]], 0, 23)


def test_very_many_deletions_need_a_word(run, tmp_path):
    notes = tmp_path / "notes"
    for number in range(100):
        write(notes, f"{number}.md", f"words {number}")
    write(tmp_path, "c.toml", "vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    run("index", "--config", tmp_path / "c.toml")
    for number in range(60):
        (notes / f"{number}.md").unlink()
    assert "--allow-deletions" in run("index", "--config", tmp_path / "c.toml", "--dry-run").stdout
    refused = run("index", "--config", tmp_path / "c.toml")
    assert (refused.exit_code, "60 of the 100 notes" in refused.stderr) == (1, True)
    assert "60 deleted" in run("index", "--config", tmp_path / "c.toml", "--allow-deletions").stdout


@pytest.mark.parametrize("other", ["--full", "--dry-run", "--json", "--allow-deletions"])
def test_a_watch_is_watched_and_nothing_else(run, tmp_path, other):
    assert run("index", tmp_path, "--watch", other).exit_code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C reaches whole groups of processes")
def test_a_watch_indexes_what_changes_until_ctrl_c(tmp_path):
    notes = tmp_path / "notes"
    write(notes, "a.md", "Flour")
    write(tmp_path, "c.toml", "vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    command = [Path(sys.executable).with_name("obsirag"), "index", "--config", tmp_path / "c.toml"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, "--watch", "--interval", "0.1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        # A shell lets what it runs in the background ignore the signal, and so would what the tests start then.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as watch:
        assert watch.stdout is not None
        assert b"1 added" in watch.stdout.readline()
        time.sleep(0.3)  # a note that comes while the vault is looked at belongs to the next look
        write(notes, "b.md", "Leaves")
        watch.stdout.readline()  # where the index is
        assert b"1 added" in watch.stdout.readline()
        watch.send_signal(signal.SIGINT)
        assert watch.wait(30) == 130
        assert watch.stderr is not None
        assert b"Stopped" in watch.stderr.read()
    done = subprocess.run([*command, "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["unchanged"] == ["a.md", "b.md"]
