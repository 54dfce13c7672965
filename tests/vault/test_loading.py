"""Files that are no notes, read by loaders."""

import os
import shutil
import threading
import time
from datetime import date, datetime

import pytest

from obsirag.errors import VaultError
from obsirag.records import FilePart, LoadedFile
from obsirag.vault import DIAGNOSTIC_CODES, UNREADABLE_PERMISSIONS, Vault


class Loader:
    """Gives what it is made with, or what a function makes of the path; remembers what it was asked for."""

    def __init__(self, given=None, suffixes=(".page",)):
        self.suffixes = suffixes
        self.given = given or (lambda path: LoadedFile(path.read_bytes().decode("utf-8-sig")))
        self.asked = []

    def load(self, path):
        self.asked.append(path.name)
        return self.given(path)


@pytest.fixture
def vault(tmp_path):
    """Make a vault of these files, where a loader reads ``.page`` files."""
    root = tmp_path / "vault"
    root.mkdir()

    def make(loader, files, **options):
        for name, content in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return Vault(root, loaders=[loader], **options)

    return make


def raising(error):
    def load(path):
        raise error

    return Loader(load)


def giving(value):
    return Loader(lambda path: value)


def loaded(text="text", **fields):
    return giving(LoadedFile(text, **fields))


def test_files_with_its_suffixes_are_notes_and_no_attachments(vault):
    files = {"a.page": "# Tea", "x/B.PAGE": "b", "c.b": "c", "d.jpg": "", "n.md": ""}
    opened = vault(Loader(suffixes=(".page", ".b")), files)
    assert opened.paths() == ["a.page", "c.b", "n.md", "x/B.PAGE"]
    assert opened.attachments() == ["d.jpg"]
    assert [opened.note(path).title for path in ("a.page", "x/B.PAGE", "c.b")] == ["Tea", "B", "c"]


def test_what_is_left_out_and_hidden_is_never_loaded(vault):
    loader = Loader()
    opened = vault(loader, {"out/a.page": "", ".hidden/b.page": "", "c.page": ""}, ignore=["out/"])
    assert opened.paths() == ["c.page"]
    assert opened.diagnostics == []
    assert loader.asked == ["c.page"]


def test_a_loaded_text_is_read_as_a_note_of_the_same_text(sample_vault, tmp_path):
    """All but the file's own name: front matter, permissions, lines, links and embeds of notes."""
    root = shutil.copytree(sample_vault, tmp_path / "vault")
    originals = [path for path in Vault(root).paths() if path.endswith(".md")]
    for path in originals:
        shutil.copy(root / path, root / f"{path.removesuffix('.md')}.page")
    opened = Vault(root, loaders=[Loader()])
    for path in originals:
        twin = f"{path.removesuffix('.md')}.page"
        note, page = opened.note(path), opened.note(twin)
        assert (page.text, page.first_line, page.metadata, page.title) == (
            note.text,
            note.first_line,
            note.metadata,
            note.title,
        )
        assert (page.tags, page.permissions, page.block_ids) == (note.tags, note.permissions, note.block_ids)
        one, other = opened.render(path), opened.render(twin)
        if any(each.code == "embed-cycle" for each in one.diagnostics):
            continue  # a ring that leads back to the note doesn't lead back to its twin
        assert one.text == other.text
        for offset in range(0, len(one.text), 97):
            assert one.locate(offset).line == other.locate(offset).line


@pytest.mark.parametrize(
    ("text", "metadata", "permissions"),
    [
        ("t", {}, ()),
        ("t", {"permission": "leads"}, (("leads",),)),
        ("t", {"Permissions": ["a", "b"]}, (("a", "b"),)),
        ("---\npermission: leads\n---\nt", {}, (("leads",),)),
        ("---\npermission: leads\n---\nt", {"permissions": ["a"]}, (("a",), ("leads",))),
        ("---\npermission: [leads\n---\nt", {}, UNREADABLE_PERMISSIONS),
        ("---\npermission: [leads\n---\nt", {"permission": "a"}, (*UNREADABLE_PERMISSIONS, ("a",))),
    ],
)
def test_labels_of_loader_and_front_matter_hold_together(vault, text, metadata, permissions):
    opened = vault(loaded(text, metadata=metadata), {"a.page": ""})
    assert set(opened.note("a.page").permissions) == set(permissions)
    assert set(opened.render("a.page").permissions) == set(permissions)


def test_its_metadata_wins_over_front_matter_and_headings(vault):
    metadata = {"title": "Given", "pages": 3, "when": date(2024, 2, 3), "at": datetime(2024, 2, 3), "list": ("a", {1})}
    opened = vault(loaded("---\ntitle: Own\nkind: x\n---\n# Head", metadata=metadata), {"a.page": ""})
    note = opened.note("a.page")
    assert note.title == "Given"
    assert note.metadata == {**metadata, "list": ["a", [1]], "kind": "x"}


def test_its_parts_are_kept_with_their_places_in_the_text(vault):
    text = "---\na: 1\n---\none\ntwo"
    parts = (FilePart(0, "page 1"), FilePart(text.index("one"), "page 2"), FilePart(text.index("two"), "page 3"))
    note = vault(loaded(text, parts=parts), {"a.page": ""}).note("a.page")
    assert note.text == "one\ntwo"
    assert note.parts == (FilePart(0, "page 1"), FilePart(0, "page 2"), FilePart(4, "page 3"))


CYCLE = {}
CYCLE["again"] = CYCLE


@pytest.mark.parametrize(
    ("loader", "code", "told"),
    [
        (raising(VaultError("it is no page")), "not-loaded", "it is no page"),
        (raising(RuntimeError("SECRET")), "not-loaded", "RuntimeError, raised in test_loading.py"),
        (raising(SystemExit("SECRET")), "not-loaded", "SystemExit"),
        (raising(MemoryError()), "not-loaded", "MemoryError"),
        (raising(RecursionError()), "not-loaded", "RecursionError"),
        (raising(PermissionError(13, "Permission denied", "SECRET")), "not-loaded", "Permission denied"),
        (giving(None), "not-loaded", "a NoneType instead of a LoadedFile"),
        (giving("SECRET"), "not-loaded", "a str instead of a LoadedFile"),
        (loaded(None), "not-loaded", "a NoneType for the text"),
        (loaded(b"SECRET"), "not-loaded", "a bytes for the text"),
        (loaded(metadata=None), "not-loaded", "for the metadata"),
        (loaded(metadata=["SECRET"]), "not-loaded", "for the metadata"),
        (loaded(metadata={"a": object()}), "not-loaded", "metadata of the kind object"),
        (loaded(metadata=CYCLE), "not-loaded", "too deep"),
        (loaded(parts=None), "not-loaded", "parts"),
        (loaded(parts=[(0, "page 1")]), "not-loaded", "parts"),
        (loaded(parts=[FilePart(-1, "page 1")]), "not-loaded", "out of order"),
        (loaded(parts=[FilePart(99, "page 1")]), "not-loaded", "out of order"),
        (loaded(parts=[FilePart(2, "b"), FilePart(1, "a")]), "not-loaded", "out of order"),
        (loaded(parts=[FilePart(None, "b")]), "not-loaded", "without a place"),
        (loaded(parts=[FilePart(0, None)]), "not-loaded", "without a place or a name"),
        (loaded(findings="SECRET"), "not-loaded", "findings"),
        (loaded(findings=[3]), "not-loaded", "findings"),
        (Loader(lambda path: time.sleep(60)), "slow-loader", "took too long"),
    ],
)
def test_whatever_a_loader_does_costs_its_file_and_no_more(vault, loader, code, told):
    opened = vault(loader, {"a.page": "", "n.md": "![[a.page]] Text."}, load_seconds=0.2)
    rendered = opened.render("a.page")
    assert (rendered.text, opened.note("a.page").text) == ("", "")
    (found,) = rendered.diagnostics
    assert (found.path, found.line, found.code) == ("a.page", 0, code)
    assert told in found.message
    assert "SECRET" not in found.message
    assert code in DIAGNOSTIC_CODES
    assert opened.render("n.md").text.strip() == "Text."
    assert opened.diagnostics == [found]
    assert loader.asked == ["a.page"]  # a fault isn't tried again before the file changes or another run


def test_what_it_could_not_read_is_told_and_the_rest_is_there(vault):
    rendered = vault(loaded("text", findings=[f"page {n}" for n in range(30)]), {"a.page": ""}).render("a.page")
    assert rendered.text == "text"
    assert {each.code for each in rendered.diagnostics} == {"partly-loaded"}
    assert {each.message for each in rendered.diagnostics} == {*(f"page {n}" for n in range(20)), "and 10 more"}


def test_findings_in_a_restricted_file_are_not_told_in_its_words(vault):
    loader = loaded("text", metadata={"permission": "leads"}, findings=["the SECRET table", "another"])
    (found,) = vault(loader, {"a.page": ""}).render("a.page").diagnostics
    assert "SECRET" not in found.message


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "a\ud83d\ude00b"])
def test_what_no_store_could_hold_is_replaced(vault, text):
    note = vault(loaded(text, metadata={text: text, "title": text}), {"a.page": ""}).note("a.page")
    for each in (note.text, note.title, *note.metadata):
        assert "\0" not in each
        assert each.encode()


def test_a_file_is_loaded_once_as_long_as_it_stays_as_it_is(vault):
    loader = Loader()
    opened = vault(loader, {"a.page": "one", "n.md": "[[a.page]] ![[a.page]] ![[alias]]"})
    for _ in range(3):
        opened.paths()
        opened.note("a.page")
        opened.render("a.page")
        opened.render("n.md")
        opened.resolve("alias", source="n.md")
    assert loader.asked == ["a.page"]
    (opened.root / "a.page").write_text("other")
    assert opened.note("a.page").text == "other"
    assert loader.asked == ["a.page"] * 2


def test_in_links_and_embeds_it_is_an_attachment(vault):
    loader = Loader()
    opened = vault(loader, {"a.page": "PAGE", "n.md": "![[a.page]] [[a.page]] ![[a.page#x|cover]] [t](a.page)"})
    rendered = opened.render("n.md")
    assert "PAGE" not in rendered.text
    assert (rendered.metadata["attachments"], rendered.metadata["links"]) == (["a.page"], [])
    assert rendered.diagnostics == ()
    assert opened.resolve("a.page", source="n.md") == "a.page"
    assert loader.asked == []


def test_it_can_embed_notes_with_their_labels(vault):
    opened = vault(Loader(), {"a.page": "Before.\n\n![[n]]\n", "n.md": "---\npermission: leads\n---\nThe note."})
    rendered = opened.render("a.page")
    assert "The note." in rendered.text
    assert [each.permissions for each in rendered.embeds] == [(("leads",),)]


def test_links_lead_no_loader_out_of_the_vault(vault, tmp_path):
    (tmp_path / "outside.page").write_text("OUTSIDE")
    loader = Loader()
    opened = vault(loader, {"a.page": "one"})
    (opened.root / "out.page").symlink_to(tmp_path / "outside.page")
    (opened.root / "in.page").symlink_to(opened.root / "a.page")
    assert opened.paths() == ["a.page"]
    assert [each.code for each in opened.diagnostics] == ["outside-vault"]
    followed = Vault(opened.root, loaders=[Loader()], follow_symlinks=True)
    assert followed.paths() == ["a.page", "out.page"]
    assert followed.note("out.page").text == "OUTSIDE"


@pytest.mark.parametrize("when", ["before", "while"])
def test_a_link_that_takes_the_files_place_gets_nothing_in(vault, tmp_path, when):
    outside = tmp_path / "outside.page"
    outside.write_text("OUTSIDE")

    def swap(path):
        path.unlink()
        path.symlink_to(outside)

    def load(path):
        if when == "while":
            swap(path)
        return LoadedFile(path.read_text())

    opened = vault(Loader(load), {"a.page": "one"})
    assert opened.paths() == ["a.page"]
    if when == "before":
        swap(opened.root / "a.page")
    rendered = opened.render("a.page")
    assert rendered.text == ""
    assert [each.code for each in rendered.diagnostics] == ["unreadable"]


def test_a_pipe_in_the_files_place_holds_nobody_up(vault):
    loader = Loader()
    opened = vault(loader, {"a.page": "one"})
    assert opened.paths()
    (opened.root / "a.page").unlink()
    os.mkfifo(opened.root / "a.page")
    assert [each.code for each in opened.render("a.page").diagnostics] == ["unreadable"]
    assert loader.asked == []


def test_threads_that_hang_do_not_hold_up_the_end_of_the_program(vault):
    opened = vault(Loader(lambda path: threading.Event().wait(60)), {"a.page": ""}, load_seconds=0.1)
    opened.render("a.page")
    hanging = [each for each in threading.enumerate() if each.name == "loading a.page"]
    assert hanging
    assert all(each.daemon for each in hanging)


@pytest.mark.parametrize("suffix", [".md", ".canvas", ".my.md", ".TXT", "txt", ".", "", ".a/b", 3, None])
def test_a_suffix_that_is_none_or_a_notes_is_refused(tmp_path, suffix):
    with pytest.raises(VaultError, match="the loader Loader has the suffix"):
        Vault(tmp_path, loaders=[Loader(suffixes=[suffix])])


@pytest.mark.parametrize("suffixes", [(), None, ".txt", 3])
def test_a_loader_without_suffixes_is_refused(tmp_path, suffixes):
    with pytest.raises(VaultError, match="has no `suffixes`"):
        Vault(tmp_path, loaders=[Loader(suffixes=suffixes)])


def test_two_loaders_do_not_share_a_suffix_but_the_longer_one_wins(tmp_path):
    with pytest.raises(VaultError, match=r"two loaders read \.page files: Loader and Loader"):
        Vault(tmp_path, loaders=[Loader(), Loader()])
    (tmp_path / "a.front.page").write_text("")
    (tmp_path / "b.page").write_text("")
    short, long = loaded("short"), Loader(lambda path: LoadedFile("long"), suffixes=(".front.page",))
    opened = Vault(tmp_path, loaders=[short, long])
    assert [opened.note(path).text for path in opened.paths()] == ["long", "short"]


def test_of_large_files_few_are_kept_but_the_last_is_not_loaded_again(vault, monkeypatch):
    monkeypatch.setattr("obsirag.vault.reader._KEPT_CHARACTERS", 100)
    loader = Loader(lambda path: LoadedFile("x" * (500 if path.name == "c.page" else 40)))
    opened = vault(loader, {"a.page": "", "b.page": "", "c.page": ""})
    for path in ("a.page", "b.page", "a.page", "c.page", "c.page", "a.page"):
        opened.note(path)
    assert loader.asked == ["a.page", "b.page", "c.page", "a.page"]
