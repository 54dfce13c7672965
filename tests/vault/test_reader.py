"""Reading single files, whatever they hold and whatever happens to them meanwhile."""

import os
from pathlib import Path

import pytest

from obsirag.vault import DIAGNOSTIC_CODES, reader
from obsirag.vault.opening import read_inside

FRONT_MATTER = [
    "---\ntags: [a]\n---\n",
    "---  \ntags: [a]\n--- \t\n",
    "---\ntags: [a]\n...\n",
    "---\n\n# c\ntags: a\n---\n",
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", FRONT_MATTER)
def test_front_matter_is_seen_in_every_encoding_and_with_every_line_end(make_vault, encoding, newline, head):
    text = f"{head}b\u00f6dy \u4e2d\r\nmixed\rends\n".replace("\n", newline)
    vault = make_vault({"n.md": text.encode(encoding)})
    note = vault.note("n.md")
    assert note.tags == ("a",)
    assert note.text == vault.render("n.md").text == "b\u00f6dy \u4e2d\r\nmixed\rends\n".replace("\n", newline)
    assert note.first_line == head.count("\n") + 1


@pytest.mark.parametrize(
    "head",
    [
        "---\n---\n",
        "---\n\n---\n",
        "---\n# only a comment\n---\n",
        "---\n<% tp.file.title %>: <% tp.date.now() %>\n---\n",
        "---\ncreated: <% tp.date.now() %>\ntitle: '{{title}}'\n---\n",
        "---\ncreated: {{date}}\n---\n",
        "---\na:\n\tb: 1\n---\n",
        "---\na: 1\na: 2\n---\n",
        "---\na: !!python/object:os.system x\n---\n",
        "---\na: " + "[" * 9000 + "\n---\n",
        "---\na: " + "x" * 1_000_000 + "\n---\n",
        "---\na: .nan\nb: -.inf\n1: x\nnull: y\n2024-01-05: z\n---\n",
        "---\na: &a [x, x]\n"
        + "".join(f"k{at}: &k{at} [*{'a' if not at else f'k{at - 1}'}, *a]\n" for at in range(30))
        + "---\n",
    ],
)
def test_no_front_matter_costs_the_text_or_stops_the_run(make_vault, head):
    vault = make_vault({"n.md": head + "kept [[m]]\n", "m.md": "other"})
    assert vault.render("n.md").text == "kept [[m]]\n"
    assert vault.links.backlinks["m.md"] == ("n.md",)
    assert {each.code for each in vault.diagnostics} <= {"bad-front-matter"}
    assert all(each.path == "n.md" and len(each.message) < 300 for each in vault.diagnostics)


@pytest.mark.parametrize(
    "data", [b"\xe9", "\u4e2d\u6587".encode("gbk"), bytes(4096), "\u4e2d".encode()[:2], b"\x1f\x8b\x08\0", b"a\0b"]
)
@pytest.mark.parametrize("name", ["n.md", "n.canvas"])
def test_what_is_no_text_is_told_and_costs_no_other_note(make_vault, data, name):
    vault = make_vault({name: data, "m.md": f"![[{name}]] and text"})
    assert vault.note(name).text == ""
    assert [(each.path, each.code) for each in vault.render(name).diagnostics] == [(name, "undecodable")]
    assert "and text" in vault.render("m.md").text
    assert {each.code for each in vault.diagnostics} <= DIAGNOSTIC_CODES.keys()


def test_an_empty_file_is_an_empty_note(make_vault):
    vault = make_vault({"n.md": "", "b.md": b"\xef\xbb\xbf", "u.md": b"\xff\xfe", "c.canvas": "", "w.md": " \r\n"})
    assert [vault.note(path).text for path in vault.paths()] == ["", "", "", "", " \r\n"]
    assert vault.diagnostics == []


def test_folders_called_like_notes_are_folders(make_vault):
    vault = make_vault({"x.md/inner.md": "text", "y.canvas/z.md": "more", "n.md": "[[x]] [[inner]] ![[x.md]]"})
    assert vault.paths() == ["n.md", "x.md/inner.md", "y.canvas/z.md"]
    assert [link.path for link in vault.note("n.md").links] == [None, "x.md/inner.md", None]


def test_a_file_that_grows_while_it_is_read_is_read_again(make_vault, monkeypatch):
    vault = make_vault({"n.md": "first"})

    def read_and_grow(root, name):
        data = read_inside(root, name)
        with (Path(root) / name).open("ab") as more:
            more.write(b" second")
        return data

    with monkeypatch.context() as patched:
        patched.setattr(reader, "read_inside", read_and_grow)
        assert vault.render("n.md").text == "first"
    assert vault.render("n.md").text == "first second"


def test_a_file_that_is_replaced_by_one_of_the_same_size_and_time_is_read_again(make_vault):
    vault = make_vault({"n.md": "old"})
    status = vault.stat("n.md")
    assert vault.note("n.md").text == "old"
    other = vault.root / "other"
    other.write_text("new")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(vault.root / "n.md")
    assert vault.note("n.md").text == "new"
