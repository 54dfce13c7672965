import io
import json
import sys

import pytest

from obsirag.cli.printing import print_exactly
from obsirag.vault import Vault

FILES = {
    "n.md": (
        b"---\ndate: 2024-01-31\nodd: .nan\nfar: [.inf, {x: -.inf}]\n---\n"
        b"# H\r\n\r\nBefore ![[b#^x]] after\r\n\r\n![[b]]\r%%hush%%\n\n![[gone]]"
    ),
    "b.md": b"one \x1b[31mred\n\ntwo ^x\n",
    "sub/deep.md": "中文\u2028 😀 \t end".encode(),
    "odd.md": b"\xff",
    "tail.md": b"x\n\n\n",
    "~home.md": b"tilde",
}


@pytest.fixture
def vault(tmp_path):
    root = tmp_path / "notes"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


@pytest.mark.parametrize("note", ["n.md", "b.md", "sub/deep.md", "tail.md", "~home.md", "n", "B.MD"])
def test_the_text_is_printed_byte_for_byte(run, vault, note):
    result = run("render", note, "--vault", vault)
    assert result.exit_code == 0
    assert result.stdout_bytes == Vault(vault).render(note).text.encode()


def test_what_was_noticed_is_told_beside_the_text(run, vault):
    result = run("render", "n.md", "--vault", vault)
    assert [line.split(":")[:2] for line in result.stderr.splitlines()] == [["n.md", "13"]]
    assert run("render", "b.md", "--vault", vault).stderr == ""


def test_each_line_can_have_its_sources(run, vault):
    lines = run("render", "n.md", "--vault", vault, "--sources").stdout_bytes.decode()
    rendered = Vault(vault).render("n.md")
    offset = 0
    for line in lines.splitlines(keepends=True):
        places, _, text = line.partition("\t")
        assert rendered.text.startswith(text, offset)
        known = [f"{place.path}:{place.line}" for place in map(rendered.locate, range(offset, offset + len(text)))]
        assert places.split(", ") == list(dict.fromkeys(known))
        offset += len(text)
    assert offset == len(rendered.text)
    assert lines.splitlines()[2] == "n.md:8, b.md:3\tBefore two after"


def test_a_note_as_json(run, vault):
    result = run("render", "n.md", "--vault", vault, "--json")
    found = json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    rendered = Vault(vault).render("n.md")
    assert found["text"] == rendered.text
    assert found["metadata"]["date"] == "2024-01-31"
    assert (found["metadata"]["odd"], found["metadata"]["far"]) == (None, [None, {"x": None}])
    assert [each["start"] for each in found["segments"]] == [each.start for each in rendered.segments]
    assert [found["text"][each["start"] : each["end"]] for each in found["embeds"]] == [
        rendered.text[each.start : each.end] for each in rendered.embeds
    ]
    assert found["dependencies"] == ["b.md", "gone", "n.md"]
    assert [each["code"] for each in found["diagnostics"]] == ["missing-note"]
    assert result.stderr == ""


def test_the_text_can_be_cleaned_as_it_is_for_the_index(run, vault, tmp_path):
    text = run("render", "n.md", "--vault", vault, "--cleaned").stdout_bytes.decode()
    assert "\r" not in text
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\ncleaning: {line_ends: false}\n")
    assert "\r" in run("render", "n.md", "--config", file, "--cleaned").stdout_bytes.decode()


def test_options_of_the_configuration_count(run, vault, tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\nvault_options: {comments: keep}\n")
    assert "%%hush%%" in run("render", "n.md", "--config", file).stdout
    assert not (tmp_path / "index").exists()


def test_a_note_that_cannot_be_read_fails(run, vault):
    for options in ([], ["--json"], ["--sources"]):
        result = run("render", "odd.md", "--vault", vault, *options)
        assert result.exit_code == 1
        assert "undecodable" in result.stderr + result.stdout


@pytest.mark.parametrize(
    "note", ["gone.md", "", "../notes/../../x.md", "x\0y", "~nobody-of-this-name/x.md", "x" * 5000, "/etc/hostname"]
)
def test_a_note_that_is_not_there_is_one_message(run, vault, note):
    for command in ("render", "chunks"):
        result = run(command, note, "--vault", vault)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("Error: ")
        assert "Traceback" not in result.stderr


def test_a_note_can_be_named_by_its_file(run, vault, monkeypatch):
    monkeypatch.chdir(vault / "sub")
    for name in (vault / "sub" / "deep.md", "deep.md", "sub/deep.md"):
        assert run("render", name, "--vault", vault).stdout_bytes == FILES["sub/deep.md"]


def test_a_terminal_is_not_steered(monkeypatch):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    shown = Terminal(io.BytesIO(), encoding="utf-8", newline="")
    monkeypatch.setattr(sys, "stdout", shown)
    print_exactly("one\x1b[31m\r\ntwo\rthree\x07")
    shown.flush()
    text = shown.buffer.getvalue().decode()
    assert text.splitlines() == ["one\ufffd[31m", "two", "three\ufffd"]
