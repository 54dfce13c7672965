"""What readers of vaults are known to get wrong: front matter, file names, and ways out of the vault."""

import unicodedata
from datetime import date

import pytest

TYPED = (
    "---\ntitle: Bread\nsteps:\n  - mix\n  - bake\nsource:\n  book: Home\n  page: 12\nservings: 4\ndone: false\n"
    "empty:\nflow: {a: [1, 2.5], b: 'x'}\nwhen: 2024-02-29\ntext: |\n  two\n  lines\n---\nBody text.\n"
)


def test_fields_keep_their_types_and_their_nesting(make_vault):
    note = make_vault({"n.md": TYPED}).note("n.md")
    assert note.metadata == {
        "title": "Bread",
        "steps": ["mix", "bake"],
        "source": {"book": "Home", "page": 12},
        "servings": 4,
        "done": False,
        "empty": None,
        "flow": {"a": [1, 2.5], "b": "x"},
        "when": date(2024, 2, 29),
        "text": "two\nlines\n",
    }
    assert type(note.metadata["servings"]) is int
    assert type(note.metadata["done"]) is bool
    assert note.text == "Body text.\n"


@pytest.mark.parametrize(
    "head", ["aliases: [Blue widget]", "aliases: Blue widget", "alias:\n  - Blue widget", "Aliases: ['Blue widget']"]
)
@pytest.mark.parametrize("body", ["", "\n", "\n\n", "  \n\t\n"])
def test_a_note_of_front_matter_alone_has_no_text_and_keeps_its_alias(make_vault, head, body):
    vault = make_vault({"Alias only.md": f"---\n{head}\n---\n{body}", "o.md": "[[Blue widget]] ![[blue widget]]"})
    assert vault.render("Alias only.md").text.strip() == ""
    assert [link.path for link in vault.note("o.md").links] == ["Alias only.md", "Alias only.md"]
    assert vault.render("o.md").text.rstrip() == "[[Blue widget]]"
    assert vault.diagnostics == []


@pytest.mark.parametrize(
    "head",
    [
        "group: {{groupTag\ncreated: {{date}",
        "{{ foo }: bar",
        "created: {{date:YYYY-MM-DD}} time: {{time}}",
        "created: <% tp.file.creation_date() %>: x",
        "title: Read: later [draft\n@handle: x",
        "title: 'unclosed",
        "a: [1, 2",
        "\tindent: tab\n  mixed: x",
        "- a\n- list",
        "only words",
        "a: &x [*x]",
        "a: *unknown",
        "a: !!python/object/apply:os.system ['true']",
        "? [list]\n: as key",
        "a: b: c",
        "42",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_front_matter_that_is_no_yaml_costs_neither_the_text_nor_other_notes(make_vault, head, newline):
    body = f"# Group template{newline}{newline}Keep this sentence.{newline}"
    text = newline.join(["---", *head.split("\n"), "---", body])
    vault = make_vault({"bad.md": text.encode(), "good.md": "Good [[bad]] note."})
    assert vault.note("bad.md").text == vault.render("bad.md").text == body
    assert vault.note("bad.md").title == "Group template"
    (finding,) = vault.diagnostics
    assert (finding.path, finding.code) == ("bad.md", "bad-front-matter")
    assert 1 <= finding.line <= text.count("\n")
    assert vault.note("good.md").links[0].path == "bad.md"


@pytest.mark.parametrize(
    "body",
    [
        "first part\n\n---\nkey without colon text\n---\nlast part\n",
        "---\nkey: value\n---\nlast part\n",
        "\n---\n\n---\n",
        "***\na: b\n***\n",
        "text\n---\na: [\n---\n",
        "- - -\n---\n...\n---\n",
    ],
)
def test_rules_in_the_text_are_no_second_front_matter(make_vault, body):
    vault = make_vault({"n.md": f"---\ntitle: T\n---\n{body}"})
    assert vault.note("n.md").metadata == {"title": "T"}
    assert vault.note("n.md").text == vault.render("n.md").text == body
    assert vault.diagnostics == []


@pytest.mark.parametrize(
    "start",
    ["text\n---\na: b\n---\n", "\n---\na: b\n---\n", " ---\na: b\n---\n", "----\na: b\n----\n", "```\n---\n```\n"],
)
def test_only_the_first_line_begins_front_matter(make_vault, start):
    vault = make_vault({"n.md": start})
    assert vault.note("n.md").metadata == {}
    assert vault.note("n.md").text == start


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("blanks", [b"", b" ", b" \t"])
def test_front_matter_of_any_line_end_is_read_also_behind_a_byte_order_mark(make_vault, mark, newline, blanks):
    lines = [b"---" + blanks, b"tags: [a, b]", b"n: 1", b"---" + blanks, b"Body #c", b""]
    note = make_vault({"n.md": mark + newline.join(lines)}).note("n.md")
    assert note.metadata == {"tags": ["a", "b"], "n": 1}
    assert note.tags == ("a", "b", "c")
    assert note.text.encode() == b"Body #c" + newline
    assert note.first_line == 5


@pytest.mark.parametrize(
    ("head", "tags"),
    [
        ("tags: travel, north sea", ["travel", "north sea"]),
        ("tags: travel,north", ["travel", "north"]),
        ("tags: ' #travel ,  #north '", ["travel", "north"]),
        ("tags: [travel, north]", ["travel", "north"]),
        ("tags:\n- travel\n- '#north'", ["travel", "north"]),
        ("tags:\n  - travel\n  - ", ["travel"]),
        ("tags: travel", ["travel"]),
        ('tag: "#travel"', ["travel"]),
        ("TAGS: [Travel, travel, TRAVEL]", ["Travel"]),
        ("tags:", []),
        ("tags: #comment", []),
        ("tags: ~", []),
        ("tags: ''", []),
        ("tags: [中文, a/b/c]", ["中文", "a/b/c"]),
    ],
)
def test_tags_in_all_shapes_stand_beside_those_of_the_text(make_vault, head, tags):
    vault = make_vault({"t.md": f"---\n{head}\n---\nbody #other and `#no`\n"})
    assert list(vault.note("t.md").tags) == vault.render("t.md").metadata["tags"] == [*tags, "other"]
    assert vault.links.tags["other"] == ("t.md",)


def test_links_in_front_matter_and_tables_do_no_harm(make_vault):
    note = '---\nicon: "[[pics/pad.svg|Pad]]"\nup: [[Home]]\n---\n| a | b |\n|---|---|\n| [[Home\\|go home]] | x |\n'
    vault = make_vault({"f.md": note, "Home.md": "h", "pics/pad.svg": ""})
    assert vault.note("f.md").metadata["icon"] == "[[pics/pad.svg|Pad]]"
    assert vault.note("f.md").metadata["up"] == [["Home"]]
    (link,) = [link for link in vault.note("f.md").links if link.line > 4]
    assert (link.path, link.alias, link.line) == ("Home.md", "go home", 7)
    assert vault.render("f.md").text == note[note.index("| a") :]
    assert vault.diagnostics == []


@pytest.mark.parametrize("name", ["Café", "Ärger über Öl", "가나다", "ゴジラ", "Å"])
@pytest.mark.parametrize("file_form", ["NFC", "NFD"])
@pytest.mark.parametrize("link_form", ["NFC", "NFD"])
def test_names_are_the_same_in_both_unicode_forms(make_vault, name, file_form, link_form):
    on_disk, written = unicodedata.normalize(file_form, name), unicodedata.normalize(link_form, name)
    vault = make_vault({f"{on_disk}/{on_disk}.md": "é note ^b", "m.md": f"[[{written}]] ![[{written}#^b]]"})
    path = unicodedata.normalize("NFC", f"{name}/{name}.md")
    assert vault.paths() == sorted([path, "m.md"])
    assert [link.path for link in vault.note("m.md").links] == [path, path]
    assert vault.render("m.md").text == f"[[{written}]] é note"
    assert vault.diagnostics == []


@pytest.mark.parametrize(
    "others",
    [["my-plan.md"], ["a/my-plan.md", "a/plans.md"], ["a/xplan.md", "plan.md.md"], ["plan.png", "plan.canvas"]],
)
def test_a_name_is_not_the_end_of_another(make_vault, others):
    vault = make_vault({"plan.md": "right", "m.md": "![[plan]]", "b/m.md": "![[plan]]", **dict.fromkeys(others, "{}")})
    assert vault.render("m.md").text == vault.render("b/m.md").text == "right"
    assert "ambiguous-name" not in {each.code for each in vault.diagnostics}
    (vault.root / "plan.md").unlink()
    vault.paths()
    assert vault.note("m.md").links[0].path is None


WAYS_OUT = [
    "../../outside/secret",
    "../outside/secret.md",
    "./../../outside/secret",
    "sub/../../../outside/secret",
    "..\\..\\outside\\secret",
    "..%2F..%2Foutside%2Fsecret",
    "%2e%2e/%2e%2e/outside/secret",
    "..%5C..%5Coutside%5Csecret",
    "/etc/hostname",
    "C:\\outside\\secret",
    "C:/outside/secret",
    "\\\\server\\share\\secret",
    "//server/share/secret",
    "file:///etc/hostname",
    "FILE:///etc/hostname",
    "~/secret",
]


@pytest.mark.parametrize("way", WAYS_OUT)
@pytest.mark.parametrize(
    "form", ["![[{}]]", "![x]({})", "[x](<{}>)", "[[{}#H|x]]", "![[{}#^b]]", "---\nup: '[[{}]]'\n---\nx"]
)
def test_no_way_out_of_the_vault_is_taken(make_vault, tmp_path, way, form):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("# H\n\nhush ^b\n")
    link = form.format(way)
    vault = make_vault({"sub/deep.md": link, "evil.md": link, "evil.canvas": '{"nodes": []}'})
    for path in vault.paths():
        assert "hush" not in vault.render(path).text
        assert [each.path for each in vault.note(path).links] == [None] * len(vault.note(path).links)
        assert vault.render(path).text == (link.rpartition("---\n")[2] if path.endswith(".md") else "")
    assert {each.path for each in vault.diagnostics} == {"evil.md", "sub/deep.md"}
    assert {each.code for each in vault.diagnostics} <= {"outside-vault", "missing-note", "broken-link"}
    if not way.startswith("~"):
        assert {each.code for each in vault.diagnostics} >= {"outside-vault"}


def test_links_of_the_file_system_lead_neither_out_nor_in_circles(make_vault, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("hush")
    vault = make_vault({"n.md": "own ![[link]] ![[dirlink/secret]] ![[secret]] ![[chain]]", "sub/x.md": "inside"})
    (vault.root / "link.md").symlink_to(outside / "secret.md")
    (vault.root / "dirlink").symlink_to(outside, target_is_directory=True)
    (vault.root / "chain.md").symlink_to(vault.root / "link.md")
    (vault.root / "loop").symlink_to(".", target_is_directory=True)
    (vault.root / "sub" / "up").symlink_to("..", target_is_directory=True)
    (vault.root / "ring.md").symlink_to("ring.md")
    (vault.root / "dangling.md").symlink_to("nowhere.md")
    (vault.root / "again.md").symlink_to("sub/x.md")
    assert vault.paths() == ["n.md", "sub/x.md"]
    assert "hush" not in vault.render("n.md").text
    told = {each.path for each in vault.diagnostics if each.code == "outside-vault"}
    assert told >= {"link.md", "dirlink", "chain.md"}
    assert vault.resolve("again", source="n.md") == "sub/x.md"
