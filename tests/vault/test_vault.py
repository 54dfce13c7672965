from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import pytest

from obsirag.errors import VaultError
from obsirag.records import Link
from obsirag.vault import DIAGNOSTIC_CODES, UNREADABLE_PERMISSIONS, Vault


def test_a_note_as_data(make_vault):
    vault = make_vault(
        {
            "n.md": b"\xef\xbb\xbf---\r\ntitle: 7\r\ntags: x\r\n---\r\n"
            b"# H\r\n[[ other |the other]] ![[other#^p1]] ^mine\r\n",
            "other.md": "text ^p1",
        }
    )
    note = vault.note("n.md")
    assert note.text == "# H\r\n[[ other |the other]] ![[other#^p1]] ^mine\r\n"
    assert (note.path, note.first_line, note.title, note.tags, note.block_ids) == ("n.md", 5, "7", ("x",), ("mine",))
    assert note.links == (
        Link("other", "", "the other", 6, "other.md", embed=False),
        Link("other", "#^p1", None, 6, "other.md", embed=True),
    )
    assert dict(note.metadata) == {"title": 7, "tags": "x"}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Set\n---\n# H", "Set"),
        ("---\ntitle: 2024\n---\n# H", "2024"),
        ("---\ntitle:\n---\n# H", "H"),
        ("## Two\n\n```\n# no\n```\n\n# One\n", "One"),
        ("Under\n=====\n", "Under"),
        ("%%\n# no\n%%\n\n## x", "My file"),
        ("text", "My file"),
    ],
)
def test_the_title_is_given_or_the_first_heading_or_the_file_name(make_vault, text, title):
    assert make_vault({"f/My file.md": text}).note("f/My file.md").title == title


def test_a_note_with_nothing_but_front_matter_is_found_by_its_alias(make_vault):
    vault = make_vault({"Alias only.md": "---\naliases: [Blue widget]\n---\n\n\n", "o.md": "[[blue widget]]"})
    assert vault.note("Alias only.md").text.strip() == ""
    assert vault.resolve("Blue widget", source="o.md") == "Alias only.md"
    assert vault.note("o.md").links[0].path == "Alias only.md"


def test_resolve_takes_a_link_as_written(make_vault):
    vault = make_vault({"a/n.md": "", "C#.md": ""})
    for written in ("n", "[[n]]", "![[n#H|x]]", "n#^b", "a/n.md"):
        assert vault.resolve(written, source="m.md") == "a/n.md"
    assert vault.resolve("C#", source="m.md") == "C#.md"
    assert vault.resolve("", source="m.md") == "m.md"
    assert vault.resolve("gone", source="m.md") is None


@pytest.mark.parametrize(
    "text", ["---\ntitle: Read: later [draft\n@h: x\n---\n", "---\ngroup: {{tag}\n---\n", "---\n- a\n---\n"]
)
def test_bad_front_matter_costs_only_the_metadata(make_vault, text):
    vault = make_vault({"bad.md": text + "Keep this.\n", "good.md": "Good."})
    rendered = vault.render("bad.md")
    assert rendered.text == "Keep this.\n"
    assert vault.note("bad.md").metadata == {}
    assert [(each.path, each.code) for each in vault.diagnostics] == [("bad.md", "bad-front-matter")]
    assert vault.render("good.md").text == "Good."


@pytest.mark.parametrize(
    "head", ["---\npermission: [x\n---\n", "---\npermission: x\n\n# Never closed\n", "\n---\npermission: x\n---\n"]
)
def test_a_note_whose_permissions_cannot_be_read_is_not_public(make_vault, head):
    vault = make_vault({"n.md": head + "text"})
    assert vault.note("n.md").permissions == UNREADABLE_PERMISSIONS
    assert vault.render("n.md").permissions == UNREADABLE_PERMISSIONS
    assert [each.code for each in vault.diagnostics] == ["bad-front-matter"]


def test_edits_and_new_files_are_seen(make_vault):
    vault = make_vault({"a.md": "old ![[b]]", "b.md": "B"})
    assert vault.render("a.md").text == "old B"
    (vault.root / "b.md").write_text("changed")
    assert vault.render("a.md").text == "old changed"
    (vault.root / "c.md").write_text("C")
    assert vault.paths() == ["a.md", "b.md", "c.md"]
    assert vault.render("c.md").text == "C"
    assert vault.links.backlinks["b.md"] == ("a.md",)
    (vault.root / "a.md").unlink()
    assert vault.render("a.md").diagnostics[0].code == "unreadable"
    assert vault.paths() == ["b.md", "c.md"]
    assert vault.links.backlinks["b.md"] == ()


@pytest.mark.parametrize("path", ["gone.md", "../secret.md", "/etc/passwd", "", ".", "a/../../secret.md", "x.png"])
def test_only_notes_of_the_vault_can_be_asked_for(make_vault, tmp_path, path):
    (tmp_path / "secret.md").write_text("hush")
    vault = make_vault({"a/n.md": "", "x.png": ""})
    for ask in (vault.note, vault.render, vault.file, vault.stat):
        with pytest.raises(VaultError, match=r"no note .* in vault"):
            ask(path)


@pytest.mark.parametrize(
    "options", [{"embed_heading": "maybe"}, {"comments": True}, {"max_embed_depth": -1}, {"max_embed_depth": 999}]
)
def test_wrong_options_are_told(tmp_path, options):
    with pytest.raises(VaultError, match=next(iter(options))):
        Vault(tmp_path, **options)


def test_codes_that_are_given_are_documented(make_vault):
    vault = make_vault({"m.md": "![[gone]] ![[m]] [[../../x]]\n\n%% open", "bad.md": b"\xff", "x.canvas": "{"})
    assert {each.code for each in vault.diagnostics} <= DIAGNOSTIC_CODES.keys()
    assert len(vault.diagnostics) == 6


def test_the_sample_vault(sample_vault):
    vault = Vault(sample_vault)
    home = vault.render("首页.md")
    assert "预算负责人：渲染组" in home.text
    assert home.locate(home.text.index("预算负责人")).path == "性能/性能预算.md"
    assert "%%" not in home.text
    checklist = vault.render("构建/打包清单.md")
    assert [each.permissions for each in checklist.embeds] == [(("leads",),)]
    assert {each.code for each in vault.diagnostics} == {"duplicate-name", "embed-cycle", "missing-note"}


def test_every_vault_of_the_development_data_renders(test_data):
    for folder in sorted(path for path in (test_data / "vaults").iterdir() if path.is_dir()):
        vault = Vault(folder)
        for path in vault.paths():
            rendered = vault.render(path)
            assert rendered.segments[0].start == 0
            assert rendered.locate(len(rendered.text)).path in rendered.dependencies
            assert not rendered.text or rendered.text.count("\n") >= vault.note(path).text.count("\n") // 2
        assert set(vault.links.outgoing) == set(vault.paths())


def texts_in(value):
    """Yield every text in a value, however deep it lies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (*texts_in(key), *texts_in(each))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from texts_in(each)
    elif is_dataclass(value):
        for each in fields(value):
            yield from texts_in(getattr(value, each.name))


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("n.canvas", r'{"nodes": [{"id": "\ud800", "type": "text", "text": "a [[\udfff#\ud800|\ud800]] #t\ud800"}]}'),
        (
            "n.canvas",
            r'{"nodes": [{"id": "a", "type": "file", "file": "\ud800"}, {"id": "b", "type": "link", "url": "\ud800"}'
            r', {"type": "group", "label": "\ud800"}], "edges": [{"fromNode": "a", "toNode": "b", "label": "\ud800"}]}',
        ),
        ("n.md", '---\n"\\ud800": {"\\udfff": ["\\ud800"]}\ntags: ["\\ud800"]\n---\ntext'),
        ("n.md", '---\npermission: "\\ud800"\ntitle: "\\ud800"\naliases: "\\ud800"\n---\ntext'),
        ("n.md", "[a](%ED%A0%80.md) ![[%ED%A0%80]] [b](<%ff.md#%ff>)"),
    ],
)
def test_every_text_of_a_note_can_be_stored(make_vault, path, content):
    vault = make_vault({path: content})
    texts = [*texts_in(vault.note(path)), *texts_in(vault.render(path)), *texts_in(vault.diagnostics)]
    assert path in texts
    assert [text for text in texts if text.encode("utf-8", "replace").decode() != text] == []


def test_two_escapes_of_one_character_in_a_canvas_are_that_character(make_vault):
    canvas = r'{"nodes": [{"id": "a", "type": "text", "text": "\ud83d\ude00 and \ud83d"}]}'
    assert make_vault({"n.canvas": canvas}).render("n.canvas").text == "\U0001f600 and \ufffd\n\n"


def test_a_huge_number_in_one_note_leaves_the_others_alone(make_vault):
    vault = make_vault({"m.md": f"---\naliases: [0x{'f' * 4000}]\n---\n", "ok.md": "![[missing]]"})
    assert vault.render("ok.md").text == "![[missing]]"
    assert vault.note("ok.md").links[0].path is None
    assert [(each.path, each.code) for each in vault.diagnostics] == [("ok.md", "missing-note")]


@pytest.mark.parametrize("given", ["Caf\u00e9/Own.md", "Cafe\u0301/Own.md", "caf\u00e9/own"])
def test_a_note_has_one_path_however_it_is_asked_for(make_vault, given):
    text = "own ![[Own]]\n\n![[gone]]\n"
    vault = make_vault({"Cafe\u0301/Own.md": text})
    (path,) = vault.paths()
    assert vault.render(given) == vault.render(path)
    assert vault.note(given) == vault.note(path)
    assert vault.render(given).path == path
    assert {each.path for each in vault.render(given).diagnostics} == {path}


def test_a_note_can_be_asked_for_by_its_name_on_disk(make_vault):
    vault = make_vault({"n.md": "", "\ufffdFF.md": "named so"})
    (vault.root / "\udcff.md").write_text("odd byte")
    for path in vault.paths():
        assert vault.note(vault.file(path).name) == vault.note(path)
    assert vault.note("\udcff.md").text == "odd byte"
