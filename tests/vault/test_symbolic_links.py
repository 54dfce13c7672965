"""Symbolic links lead out of a vault only where its owner says so."""

import os
import threading
from contextlib import contextmanager

import pytest

from obsirag.vault import Vault


@pytest.fixture
def outside(tmp_path):
    """Return a folder beside the vault, with notes in it."""
    folder = tmp_path / "outside"
    (folder / "deep").mkdir(parents=True)
    (folder / "secret.md").write_text("hush")
    (folder / "deep" / "well.md").write_text("water ![[secret]]")
    (folder / "pic.png").write_bytes(b"")
    (folder / ".hidden.md").write_text("never")
    return folder


def seen(vault):
    """Return the notes with their texts, and what is told of the vault."""
    return (
        {path: vault.note(path).text for path in vault.paths()},
        {(each.path, each.code) for each in vault.diagnostics if each.code in ("outside-vault", "unreadable")},
    )


def test_by_default_no_link_out_is_followed(make_vault, outside):
    vault = make_vault({"n.md": "![[secret]] ![[link]] ![[folder/secret]]"})
    (vault.root / "link.md").symlink_to(outside / "secret.md")
    (vault.root / "folder").symlink_to(outside)
    (vault.root / "up").symlink_to(vault.root.parent)
    notes, told = seen(vault)
    assert notes == {"n.md": "![[secret]] ![[link]] ![[folder/secret]]"}
    assert told == {("link.md", "outside-vault"), ("folder", "outside-vault"), ("up", "outside-vault")}
    assert vault.render("n.md").text == notes["n.md"]
    assert vault.attachments() == []


def test_with_the_switch_files_and_folders_count_under_the_path_of_the_link(make_vault, outside):
    vault = make_vault({"n.md": "![[well]] ![[folder/secret]]"}, follow_symlinks=True)
    (vault.root / "folder").symlink_to(outside)
    notes, told = seen(vault)
    assert notes == {
        "n.md": "![[well]] ![[folder/secret]]",
        "folder/secret.md": "hush",
        "folder/deep/well.md": "water ![[secret]]",
    }
    assert told == set()
    assert vault.attachments() == ["folder/pic.png"]
    rendered = vault.render("n.md")
    assert rendered.text == "water hush hush"
    assert rendered.locate(rendered.text.rindex("hush")) == ("folder/secret.md", 1)
    assert vault.file("folder/secret.md").read_text() == "hush"
    assert vault.stat("folder/secret.md").st_size == 4


def test_each_file_counts_once_however_many_links_lead_to_it(make_vault, outside):
    vault = make_vault({"a/n.md": "text", "m.md": "![[one]] ![[two]] ![[same]] ![[again]]"}, follow_symlinks=True)
    (vault.root / "one.md").symlink_to(outside / "secret.md")
    (vault.root / "two.md").symlink_to(outside / "secret.md")
    (vault.root / "same.md").symlink_to("a/n.md")
    (vault.root / "again.md").symlink_to("same.md")
    (vault.root / "b").symlink_to("a")
    (outside / "back").symlink_to(vault.root)
    assert vault.paths() == ["a/n.md", "m.md", "one.md"]
    assert vault.render("m.md").text == "hush hush text text"
    (vault.root / "folder").symlink_to(outside)
    (vault.root / "inner").symlink_to(outside / "deep")
    paths = vault.paths()
    assert sorted(os.path.realpath(vault.file(path)) for path in paths) == sorted(
        str(file) for file in [*vault.root.glob("a/*.md"), vault.root / "m.md", *outside.rglob("[!.]*.md")]
    )
    assert vault.render("m.md").text == "hush hush text text"


@pytest.mark.parametrize("follow", [False, True])
def test_rings_of_links_end(make_vault, outside, follow):
    vault = make_vault({"n.md": "text", "sub/m.md": "more"}, follow_symlinks=follow)
    (vault.root / "self").symlink_to(vault.root)
    (vault.root / "sub" / "parent").symlink_to(vault.root.parent)
    (vault.root / "first").symlink_to("second")
    (vault.root / "second").symlink_to("first")
    (vault.root / "me.md").symlink_to("me.md")
    (outside / "other").symlink_to(outside.parent / "third")
    (outside.parent / "third").mkdir()
    (outside.parent / "third" / "back").symlink_to(outside)
    (outside.parent / "third" / "t.md").write_text("third")
    (vault.root / "out").symlink_to(outside)
    files = [os.path.realpath(vault.file(path)) for path in vault.paths()]
    assert len(files) == len(set(files)) == (5 if follow else 2)
    assert {path for path in vault.paths() if "/vault/" in f"/{path}"} == set()
    assert {each.path for each in vault.diagnostics if each.code == "unreadable"} == {"first", "second", "me.md"}


def test_what_is_ignored_or_hidden_stays_out_whatever_leads_to_it(make_vault, outside):
    files = {"private/p.md": "mine", ".obsidian/o.md": "own", "n.md": "![[p]] ![[o]] ![[l]] ![[h]]"}
    vault = make_vault(files, ignore=["private/", "links/", "*/deep/"], follow_symlinks=True)
    (vault.root / "l.md").symlink_to("private/p.md")
    (vault.root / "h.md").symlink_to(".obsidian/o.md")
    (vault.root / "visible").symlink_to(".obsidian")
    (vault.root / "links").symlink_to(outside)
    (vault.root / ".dotted").symlink_to(outside)
    assert vault.paths() == ["n.md"]
    assert vault.render("n.md").text == files["n.md"]
    (vault.root / "shown").symlink_to(outside)
    assert vault.paths() == ["n.md", "shown/secret.md"]


@pytest.mark.parametrize("follow", [False, True])
def test_links_to_nothing_are_told(make_vault, tmp_path, follow):
    vault = make_vault({"n.md": "![[gone]]"}, follow_symlinks=follow)
    (vault.root / "gone.md").symlink_to("nothing.md")
    (vault.root / "far.md").symlink_to(tmp_path / "nowhere" / "x.md")
    notes, told = seen(vault)
    assert list(notes) == ["n.md"]
    assert told == {("gone.md", "unreadable"), ("far.md", "unreadable" if follow else "outside-vault")}


def test_a_link_that_leads_elsewhere_after_the_walk_is_not_read(make_vault, outside, codes):
    vault = make_vault({"n.md": ""}, follow_symlinks=True)
    (vault.root / "l.md").symlink_to(outside / "secret.md")
    (vault.root / "d").symlink_to(outside / "deep")
    assert vault.paths() == ["d/well.md", "l.md", "n.md"]
    (outside / "deep2").mkdir()
    (outside / "deep2" / "well.md").write_text("other")
    (outside / "other.md").write_text("other")
    for link, target in [("l.md", "other.md"), ("d", "deep2")]:
        (vault.root / link).unlink()
        (vault.root / link).symlink_to(outside / target)
    (vault.root / "n.md").unlink()
    (vault.root / "n.md").symlink_to(outside / "other.md")
    for path in ("l.md", "d/well.md", "n.md"):
        rendered = vault.render(path)
        assert rendered.text == ""
        assert codes(rendered) == [(path, 0, "unreadable")]
    assert {vault.note(path).text for path in vault.paths()} == {"other"}


def test_pipes_are_not_read_by_any_way(make_vault, outside, codes):
    os.mkfifo(outside / "pipe.md")
    vault = make_vault({"n.md": "x"}, follow_symlinks=True)
    (vault.root / "l.md").symlink_to(outside / "pipe.md")
    (vault.root / "d").symlink_to(outside)
    assert vault.paths() == ["d/deep/well.md", "d/secret.md", "n.md"]
    (vault.root / "n.md").unlink()
    os.mkfifo(vault.root / "n.md")
    rendered = vault.render("n.md")
    assert (rendered.text, codes(rendered)) == ("", [("n.md", 0, "unreadable")])


@contextmanager
def taking_turns(path, other):
    """Let what lies at ``other`` take the place of what lies at ``path`` and give it back, as fast as can be."""
    away, done = path.with_name(".away"), threading.Event()

    def swap():
        while not done.is_set():
            path.rename(away)
            other.rename(path)
            path.rename(other)
            away.rename(path)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("swapped", ["f/n.md", "f"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_nothing_is_read_that_takes_the_place_of_a_file_at_any_moment(make_vault, outside, swapped, kind):
    vault = make_vault({"f/n.md": "own"})
    (outside / "n.md").write_text("hush")
    other = vault.root / ".other"
    if kind == "pipe":
        os.mkfifo(other)
    else:
        other.symlink_to(outside / "n.md" if swapped == "f/n.md" else outside)
    vault.paths()
    with taking_turns(vault.root / swapped, other):
        read = {vault.render("f/n.md").text for _ in range(3000)}
    assert read <= {"own", ""}
    assert vault.render("f/n.md").text == "own"


def test_a_vault_whose_own_folder_is_reached_by_a_link_is_a_plain_vault(make_vault, tmp_path):
    make_vault({"a/n.md": "text ![[m]]", "m.md": "more"})
    (tmp_path / "alias").symlink_to(tmp_path / "vault")
    vault = Vault(tmp_path / "alias")
    assert vault.paths() == ["a/n.md", "m.md"]
    assert vault.render("a/n.md").text == "text more"
    assert vault.diagnostics == []
