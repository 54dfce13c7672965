from datetime import date
from pathlib import Path

import pytest

from obsirag import Vault
from obsirag.vault.properties import (
    UNREADABLE_PERMISSIONS,
    aliases_in,
    meant_as_front_matter,
    read_front_matter,
    tags_in,
    title_in,
)


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: [a, b]", ("a", "b")),
        ("tags:\n  - a\n  - '#b'", ("a", "b")),
        ("tags: one", ("one",)),
        ("tags: list, abcd", ("list", "abcd")),
        ("tags: north sea", ("north", "sea")),
        ("tags: travel, north sea", ("travel", "north sea")),
        ('tag: "#test"', ("test",)),
        ("Tags: [x]\ntag: y", ("x", "y")),
        ("tags:", ()),
        ("tags: []", ()),
        ("tags: [null, '', 2024, a/b, A, a]", ("2024", "a/b", "A")),
        ("tags: {a: b}", ()),
        ("tags: [[nested, '#list'], x]", ("nested", "list", "x")),
    ],
)
def test_tags_of_any_shape(yaml, tags):
    assert tags_in(read_front_matter(yaml).metadata) == tags


@pytest.mark.parametrize(
    ("yaml", "aliases"),
    [
        ("aliases: [Blue widget, 'a, b']", ("Blue widget", "a, b")),
        ("aliases: Home, Start page", ("Home", "Start page")),
        ("alias: Home", ("Home",)),
        ("aliases:", ()),
        ("aliases: [7, null]", ("7",)),
    ],
)
def test_aliases_of_any_shape(yaml, aliases):
    assert aliases_in(read_front_matter(yaml).metadata) == aliases


@pytest.mark.parametrize(
    ("value", "title"), [("A", "A"), (12, "12"), (date(2024, 1, 5), "2024-01-05"), (None, ""), (["x"], "")]
)
def test_title_is_a_text_a_number_or_a_date(value, title):
    assert title_in({"title": value}) == title


def test_title_is_found_whatever_the_case_of_its_key():
    assert title_in({"Title": "A"}) == title_in({"title": None, "TITLE": "A"}) == "A"


@pytest.mark.parametrize("yaml", ["标签：a", "a: b\n标题：c\nd: e"])
def test_a_wide_colon_is_told(yaml):
    assert "：" in read_front_matter(yaml).fault
    assert read_front_matter("标题: 说明：其一").fault is None
    assert "：" not in read_front_matter("a: [\nb: 说明：其一").fault


@pytest.mark.parametrize(
    ("yaml", "permissions"),
    [
        ("permission: leads", (("leads",),)),
        ("permissions: [b, a]", (("a", "b"),)),
        ("Permission: leads", (("leads",),)),
        ("permission: no", (("no",),)),
        ("permission: a\npermissions: b", (("a",), ("b",))),
        ("permission:", ()),
        ("title: x", ()),
    ],
)
def test_permissions_are_read_from_either_field_and_never_dropped(yaml, permissions):
    assert read_front_matter(yaml).permissions == permissions


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\ufeff", "\u2060", "\u202c", "\x07", "\x7f", "\ufe0f"])
@pytest.mark.parametrize("key", ["{}permission", "permissions{}", "Permi{}ssion"])
def test_what_nobody_sees_in_a_key_hides_no_field(unseen, key):
    key = key.format(unseen)
    assert read_front_matter(f"title: x\n{key}: leads\n").permissions == (("leads",),)
    assert read_front_matter(f"b: &b\n  {key}: leads\n<<: *b\n{key}: x\n").permissions == (("leads",), ("x",))


def test_tags_and_aliases_are_found_under_keys_with_unseen_characters():
    metadata = read_front_matter("\u200btags: [a]\nali\u00adases: [b]\ntitle\u2060: c").metadata
    assert (tags_in(metadata), aliases_in(metadata), title_in(metadata)) == (("a",), ("b",), "c")


@pytest.mark.parametrize(
    "yaml",
    [
        "permission: [leads",
        "permission: a\npermission: b",
        "title: a: b\npermissions: x",
        "- permission: x",
        "{{x}: 1\nPermission: y",
        "permi\u00adssion: [leads",
    ],
)
def test_unreadable_front_matter_that_mentions_permissions_hides_the_note(yaml):
    read = read_front_matter(yaml)
    assert (read.permissions, read.metadata) == (UNREADABLE_PERMISSIONS, {})
    assert read.fault


def test_other_unreadable_front_matter_does_not_hide_the_note():
    assert read_front_matter("title: a: b").permissions == ()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("---\npermission: x\n# Never closed", True),
        ("\n\n---\ntitle: a\npermissions: [x]\n---\n", True),
        ("---\r\n'permission': x\r\n", True),
        ("---\ntitle: x\n\npermission: a\nbody", True),
        ("---\n\npermission: a", True),
        ("---\n" + "x: y\n" * 500 + "permission: a", True),
        ("\u200b---\npermission: a\n---", True),
        ("---\u00a0\npermission: a\n---", True),
        ("---\n\ufeffper\u00admission\u200b: a\n---", True),
        ("---\n\nThe permission: ask first", False),
        ("---\n\nText\n\n---\n\npermission: what it is", False),
        ("---\n\n```yaml\npermission: a\n```", False),
        ("# Permission: what it is\n---\n", False),
        ("permission: x", False),
    ],
)
def test_front_matter_that_failed_is_seen(text, meant):
    assert meant_as_front_matter(text) is meant


@pytest.mark.parametrize(
    "text",
    [
        '---\nx: "\n---\n"\npermission: a\n---\nsecret',
        "---\n[broken\n---\n\nPermissions: [a]\n---\nsecret",
    ],
)
def test_fields_behind_a_front_matter_that_ends_too_early_hide_the_note(make_vault, codes, text):
    rendered = make_vault({"n.md": text}).render("n.md")
    assert rendered.permissions == UNREADABLE_PERMISSIONS
    assert [code for _, _, code in codes(rendered)] == ["bad-front-matter"]


def test_permissions_that_a_merge_would_bring_count():
    yaml = "base: &b {permission: a}\nother: &o {permission: b}\n<<: [*b, *o]\npermissions: c"
    assert read_front_matter(yaml).permissions == (("a",), ("b",), ("c",))
    assert read_front_matter("base: {permission: a}").permissions == ()


def test_properties_called_links_or_attachments_are_kept_beside_those_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nlinks: [mine]\nattachments: x\n---\n[[b]]\n", encoding="utf-8")
    metadata = Vault(tmp_path).render("a.md").metadata
    assert (metadata["note.links"], metadata["note.attachments"]) == (["mine"], "x")
    assert (metadata["links"], metadata["attachments"]) == (["b"], [])
