import json
import subprocess
import sys
from pathlib import Path

import pytest

from obsirag.cli.check import findings_as_lines, summary_as_lines
from obsirag.records import Diagnostic
from obsirag.vault import DIAGNOSTIC_CODES, HINT_CODES, Vault

FILES = {
    "good.md": b"# Good\n\n[[good#Good]]\n",
    "links.md": b"[[gone]]\n\n![[gone]]\n![[good^x]] ![[good#Gone]] ![[good#^gone]] ![[gone.png]]\n[x](../../out.md)\n",
    "ring.md": b"![[ring]]\n",
    "bad.md": b"---\na: [\n---\ntext\n",
    "odd.md": b"\xff\xfe\xff",
    "open.md": b"text %% open\n",
    "board.canvas": b"{",
    "a/same.md": b"",
    "b/same.md": b"",
    "Case.md": b"",
    "case.md": b"",
}
FOUND = {
    "bad-canvas",
    "bad-front-matter",
    "broken-link",
    "duplicate-name",
    "embed-cycle",
    "malformed-embed",
    "missing-attachment",
    "missing-block",
    "missing-heading",
    "missing-note",
    "name-collision",
    "outside-vault",
    "unclosed-comment",
    "undecodable",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "notes", FILES)


def write(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def test_everything_that_is_wrong_is_shown_and_counted(run, vault):
    result = run("check", vault)
    assert result.exit_code == 1
    blocks = result.stdout.split("\n\n")
    assert [block.splitlines()[0] for block in blocks[:-2]] == sorted({each.path for each in Vault(vault).diagnostics})
    for finding in Vault(vault).diagnostics:
        (line,) = [
            line
            for line in result.stdout.splitlines()
            if line.endswith(f"  {finding.message}") and finding.code in line
        ]
        assert line.split()[0] == (
            str(finding.line) if finding.line else "error" if finding.code not in HINT_CODES else "hint"
        )
    counted = {line.split()[2]: int(line.split()[0]) for line in blocks[-2].splitlines()}
    assert counted.keys() == FOUND
    assert sum(counted.values()) == len(Vault(vault).diagnostics)
    assert result.stderr == ""


def test_the_findings_as_json(run, vault):
    result = run("check", vault, "--json")
    report = json.loads(result.stdout)
    diagnostics = Vault(vault).diagnostics
    assert result.exit_code == 1
    assert set(report) == {"vault", "notes", "failed", "counts", "findings"}
    assert (report["vault"], report["notes"], report["failed"]) == (str(vault), len(Vault(vault).paths()), True)
    assert report["findings"] == [
        {
            "path": each.path,
            "line": each.line,
            "code": each.code,
            "message": each.message,
            "severity": "hint" if each.code in HINT_CODES else "error",
        }
        for each in diagnostics
    ]
    assert set(report["counts"]) == FOUND
    assert sum(report["counts"].values()) == len(diagnostics)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--strict"], 1),
        (["--code", "broken-link"], 1),
        (["--code", "missing-note"], 0),
        (["--strict", "--ignore-code", "broken-link", "--ignore-code", "duplicate-name"], 0),
        (["--code", "broken-link", "--ignore-code", "broken-link"], 0),
    ],
)
def test_hints_fail_only_where_they_are_asked_for(run, tmp_path, options, code):
    root = write(tmp_path / "notes", {"a/n.md": b"[[to be written]]", "b/n.md": b""})
    assert run("check", root, *options).exit_code == code
    report = run("check", root, *options, "--json")
    assert (report.exit_code, json.loads(report.stdout)["failed"]) == (code, code == 1)


@pytest.mark.parametrize("code", sorted(FOUND - HINT_CODES))
def test_each_error_fails_and_can_be_left_out(run, vault, code):
    only = run("check", vault, "--code", code, "--json")
    assert only.exit_code == 1
    assert {each["code"] for each in json.loads(only.stdout)["findings"]} == {code}
    without = run("check", vault, "--ignore-code", code, "--json")
    assert set(json.loads(without.stdout)["counts"]) == FOUND - {code}


def test_a_vault_in_order_passes(run, tmp_path):
    root = write(tmp_path / "notes", {"a.md": b"# A\n\n[[b]] ![[b#H]]", "b.md": b"# H\n\ntext"})
    result = run("check", root, "--strict")
    assert (result.exit_code, result.stdout) == (0, "Nothing found in 2 notes.\n")


def test_what_the_configuration_ignores_is_not_checked(run, vault, tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\nvault_options: {ignore: ['*.md', '*.canvas', '!good.md']}\n")
    assert run("check", "--config", file, "--strict").exit_code == 0
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("option", ["--code", "--ignore-code"])
def test_a_code_that_does_not_exist_is_wrong_use(run, vault, option):
    result = run("check", vault, option, "brokn-link")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "broken-link" in result.stderr


@pytest.mark.parametrize("arguments", [["nowhere"], ["nowhere", "--json"], ["notes/good.md"]])
def test_a_vault_that_is_not_there_is_one_message(run, vault, monkeypatch, arguments):
    monkeypatch.chdir(vault.parent)
    result = run("check", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_names_of_files_can_steer_neither_terminal_nor_table(run, tmp_path):
    root = write(tmp_path / "notes", {"x\x1b[31m\n    1  error  forged\t.md": b"[[gone\x1b\x07]]"})
    result = run("check", root)
    assert "\x1b" not in result.stdout
    assert "\x07" not in result.stdout
    assert len([line for line in result.stdout.splitlines() if line.strip()]) == 4
    assert (
        json.loads(run("check", root, "--json").stdout)["findings"][0]["path"] == "x\x1b[31m\n    1  error  forged\t.md"
    )


def test_every_code_can_be_shown():
    found = sorted(Diagnostic("n.md", 1, code, "what to do") for code in DIAGNOSTIC_CODES)
    assert len(list(findings_as_lines(found))) == len(found) + 2
    summary = [text for text, _ in summary_as_lines(found, 1)]
    assert (
        summary[-1]
        == f"{len(found) - len(HINT_CODES)} errors and {len(HINT_CODES)} hints in 1 file; the vault has 1 note."
    )


def test_a_reader_that_leaves_early_is_no_fault(tmp_path):
    root = write(tmp_path / "notes", {"n.md": b"[[gone]]\n" * 20_000})
    command = Path(sys.executable).with_name("obsirag")
    with subprocess.Popen([command, "check", root], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"n.md\n"
        running.stdout.close()
        assert running.stderr.read() == b""
