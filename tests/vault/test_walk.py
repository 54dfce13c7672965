import os
import unicodedata

import pytest

from obsirag.errors import VaultError
from obsirag.vault import Vault


def test_notes_are_md_and_canvas_whatever_their_case(make_vault):
    vault = make_vault(dict.fromkeys(["a.md", "B.MD", "c.canvas", "d.base", "e.txt", "f.png", "deep/er/g.md"], ""))
    assert vault.paths() == ["B.MD", "a.md", "c.canvas", "deep/er/g.md"]
    assert vault.attachments() == ["d.base", "e.txt", "f.png"]


def test_hidden_files_and_folders_are_left_out(make_vault):
    vault = make_vault({".obsidian/a.md": "", ".trash/b.md": "", ".c.md": "", "x/.git/d.md": "", "e.md": ""})
    assert vault.paths() == ["e.md"]


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        (["private/"], ["a.md", "sub/draft.md", "sub/private.md"]),
        (["draft.md"], ["a.md", "private/b.md", "sub/private.md"]),
        (["/*.md"], ["private/b.md", "sub/draft.md", "sub/private.md"]),
        (["*", "!a.md"], ["a.md"]),
        (["**/*r*", "!sub/"], ["a.md"]),
        ("sub", ["a.md", "private/b.md"]),
        (["# a comment", ""], ["a.md", "private/b.md", "sub/draft.md", "sub/private.md"]),
    ],
)
def test_ignore_patterns_are_those_of_git(make_vault, ignore, left):
    files = {"a.md": "", "private/b.md": "", "sub/draft.md": "", "sub/private.md": ""}
    assert make_vault(files, ignore=ignore).paths() == left


def test_a_wrong_ignore_pattern_is_told(make_vault):
    with pytest.raises(VaultError, match="'!'"):
        make_vault({}, ignore=["!"])


GIT_FILES = ["a.md", "draft.md", "x/draft.md", "x/y/draft.md", "x/y/keep.md", "b c /d.md", "Caf\u00e9/e.md", "#h.md"]


@pytest.mark.parametrize(
    ("ignore", "left_out"),
    [
        (["/draft.md"], ["draft.md"]),
        (["x/**/draft.md"], ["x/draft.md", "x/y/draft.md"]),
        (["**/y"], ["x/y/draft.md", "x/y/keep.md"]),
        (["x/*"], ["x/draft.md", "x/y/draft.md", "x/y/keep.md"]),
        (["x/*", "!x/y/"], ["x/draft.md"]),
        (["x/", "!x/y/keep.md"], ["x/draft.md", "x/y/draft.md", "x/y/keep.md"]),
        (["draft.md", "!/x/y/draft.md"], ["draft.md", "x/draft.md"]),
        (["draft.md/"], []),
        (["draft.md   "], ["draft.md", "x/draft.md", "x/y/draft.md"]),
        (["draft.md\r"], ["draft.md", "x/draft.md", "x/y/draft.md"]),
        (["b c\\ /"], ["b c /d.md"]),
        (["Cafe\u0301/"], ["Caf\u00e9/e.md"]),
        (["Caf\u00e9"], ["Caf\u00e9/e.md"]),
        (["\\#h.md"], ["#h.md"]),
        (["#h.md"], []),
        (["[a-c]*.md"], ["a.md"]),
        (["/x/draft.md\n# comment\n\n/a.md\n"], ["a.md", "x/draft.md"]),
    ],
)
def test_each_form_of_pattern_leaves_out_what_git_would(make_vault, ignore, left_out):
    vault = make_vault(dict.fromkeys(GIT_FILES, ""), ignore=ignore)
    assert sorted(vault.paths()) == sorted(set(GIT_FILES) - set(left_out))


def test_patterns_fit_names_in_any_unicode_form(make_vault):
    files = {"Cafe\u0301/e.md": "", "Caf\u00e9.md": "", "n.md": ""}
    for pattern in ("Caf\u00e9*", "Cafe\u0301*"):
        assert make_vault(files, ignore=[pattern]).paths() == ["n.md"]


@pytest.mark.parametrize(
    "pattern", ["private\\notes", "private\\", "private\\*", "a\\b\\*.md", "C:\\notes", "\u79c1\\\u4eba"]
)
def test_separators_of_windows_are_told_since_they_would_leave_nothing_out(make_vault, pattern):
    with pytest.raises(VaultError, match="backslash"):
        make_vault({}, ignore=[pattern])


def test_ignored_notes_are_neither_resolved_nor_pasted(make_vault, codes):
    vault = make_vault({"n.md": "![[secret]] [[secret]]", "private/secret.md": "hush"}, ignore=["private/"])
    rendered = vault.render("n.md")
    assert rendered.text == "![[secret]] [[secret]]"
    assert codes(rendered) == [("n.md", 1, "missing-note")]


def test_symbolic_links_never_lead_out(make_vault, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("hush")
    vault = make_vault({"n.md": "![[link]] ![[secret]] ![[folder/secret]]"})
    (vault.root / "link.md").symlink_to(outside / "secret.md")
    (vault.root / "folder").symlink_to(outside)
    (vault.root / "broken.md").symlink_to(vault.root / "gone.md")
    assert vault.paths() == ["n.md"]
    assert "hush" not in vault.render("n.md").text
    told = {(each.path, each.code) for each in vault.diagnostics}
    assert {("link.md", "outside-vault"), ("folder", "outside-vault")} <= told


def test_links_inside_the_vault_make_no_second_note_and_rings_end(make_vault):
    vault = make_vault({"a/n.md": "text", "m.md": "![[second]]"})
    (vault.root / "a" / "loop").symlink_to(vault.root)
    (vault.root / "b").symlink_to("a")
    (vault.root / "second.md").symlink_to("a/n.md")
    assert vault.paths() == ["a/n.md", "m.md"]
    assert vault.render("m.md").text == "text"


def test_a_folder_replaced_by_a_link_after_the_walk_is_not_followed(make_vault, tmp_path, codes):
    vault = make_vault({"a/n.md": "text"})
    assert vault.paths() == ["a/n.md"]
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "n.md").write_text("hush")
    (vault.root / "a" / "n.md").unlink()
    (vault.root / "a").rmdir()
    (vault.root / "a").symlink_to(tmp_path / "outside")
    rendered = vault.render("a/n.md")
    assert rendered.text == ""
    assert codes(rendered) == [("a/n.md", 0, "unreadable")]


def test_pipes_are_no_notes(make_vault):
    vault = make_vault({"a.md": ""})
    os.mkfifo(vault.root / "pipe.md")
    assert vault.paths() == ["a.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_told(make_vault):
    vault = make_vault({"a.md": "", "closed/b.md": ""})
    (vault.root / "closed").chmod(0)
    try:
        assert vault.paths() == ["a.md"]
        assert [(each.path, each.code) for each in vault.diagnostics] == [("closed", "unreadable")]
    finally:
        (vault.root / "closed").chmod(0o700)


def test_paths_are_in_one_unicode_form_and_files_are_found(make_vault):
    decomposed = "Cafe\u0301.md"
    vault = make_vault({decomposed: "é note", "m.md": "![[Caf\u00e9]] and ![[Cafe\u0301]]"})
    assert vault.paths() == ["Caf\u00e9.md", "m.md"]
    assert vault.render("m.md").text == "é note and é note"
    assert vault.file("Caf\u00e9.md").name == decomposed
    assert vault.stat(decomposed).st_size == len("é note".encode())


def test_files_that_differ_in_unicode_form_only_are_both_notes(make_vault):
    vault = make_vault({"\u00e9.md": "composed", "e\u0301.md": "decomposed"})
    assert sorted(vault.note(path).text for path in vault.paths()) == ["composed", "decomposed"]


def test_names_that_are_no_unicode_do_not_stop_the_walk(make_vault):
    vault = make_vault({"a.md": "x"})
    try:
        (vault.root / os.fsdecode(b"\xff.md")).write_bytes(b"odd")
    except OSError:
        pytest.skip("this file system takes no such name")
    texts = [vault.render(path).text for path in vault.paths()]
    assert sorted(texts) == ["odd", "x"]
    assert all(path.encode() for path in vault.paths())


ODD_NAMES = [b"\xd6\xd0.md", b"\xce\xc4.md", "\ufffdFF.md".encode(), b"\xff.md", b"\xfe/\xff.md", b"e\xcc\x81\xff.md"]


def test_each_name_that_is_no_unicode_has_a_path_of_its_own_that_can_be_stored(make_vault):
    vault = make_vault({})
    for name in ODD_NAMES:
        try:
            file = vault.root / os.fsdecode(name)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(name)
            file.with_suffix(".png").write_bytes(name)
        except OSError:
            pytest.skip("this file system takes no such name")
    paths = vault.paths()
    assert {os.fsencode(vault.file(path).relative_to(vault.root)) for path in paths} == set(ODD_NAMES)
    for path in paths:
        file = vault.file(path)
        assert path.encode().decode() == path == unicodedata.normalize("NFC", path)
        assert not path.isascii()
        assert file.read_bytes() == os.fsencode(file.relative_to(vault.root))
        assert vault.stat(path).st_ino == file.stat().st_ino
        assert vault.note(path).path == vault.render(path).path == path
    assert "\ufffdFF.md" in paths
    assert len({path.encode() for path in vault.attachments()}) == len(ODD_NAMES)


def test_links_to_files_whose_names_are_no_unicode_lead_to_their_path(make_vault):
    vault = make_vault({"m.md": "![[second]]"})
    try:
        (vault.root / os.fsdecode(b"\xd6.md")).write_text("text")
    except OSError:
        pytest.skip("this file system takes no such name")
    (vault.root / "second.md").symlink_to(vault.root / os.fsdecode(b"\xd6.md"))
    assert vault.render("m.md").text == "text"


def test_names_whose_normal_form_is_plain_ascii_are_found_on_disk(make_vault):
    vault = make_vault({"\u212a.md": "kelvin", "sub/K.md": "letter"})
    assert vault.paths() == ["K.md", "sub/K.md"]
    assert vault.stat("K.md").st_size == len("kelvin")
    assert vault.note("K.md").text == "kelvin"


def test_a_missing_vault_or_a_file_is_one_clear_error(tmp_path):
    with pytest.raises(VaultError, match="does not exist"):
        Vault(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(VaultError, match="is not a folder"):
        Vault(tmp_path / "file")


def test_an_empty_vault_has_nothing(tmp_path):
    vault = Vault(tmp_path)
    assert (vault.paths(), vault.diagnostics, dict(vault.links.outgoing)) == ([], [], {})
