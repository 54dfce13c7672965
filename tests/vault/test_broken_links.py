import pytest

from obsirag.vault import HINT_CODES, Vault


def found_in(vault, *codes):
    """Return line and code of what the check says of the note m.md, of some codes only if any are given."""
    return [
        (each.line, each.code)
        for each in vault.diagnostics
        if each.path == "m.md" and each.code in (codes or [each.code])
    ]


TARGET = {
    "sub/n.md": "# A Heading: with *marks*\n\ntext ^b1\n\n## Deep\n\n<a name='old'></a>\n",
    "pic.png": "",
    "board.canvas": "{}",
}


@pytest.mark.parametrize(
    "link",
    [
        "[[n]]",
        "[[sub/n.md|alias]]",
        "[[n#A Heading with *marks*]]",
        "[[n#A Heading: with *marks*#Deep]]",
        "[[n#^b1]]",
        "[[n#^B1]]",
        "[[ n # Deep ]]",
        "[[#Own]]",
        "[[n#]]",
        "[[pic.png]]",
        "[[pic.png#outside]]",
        "[[board.canvas]]",
        "[x](sub/n.md#Deep)",
        "[x](sub/n.md#a-heading-with-marks)",
        "[x](sub/n.md#old)",
        "[x](sub%2Fn.md)",
        "[x](#own)",
        "[x]()",
        "[x](sub)",
        "[x](sub/)",
        "[x](./sub)",
        "[x](.)",
        "![x](pic.png)",
        "[x](https://example.org/gone) [[https://example.org]] <gone.md>",
        "`[[gone]]` %%[[gone]]%% $[[gone]]$",
        "```\n[[gone]]\n```",
        "\\[x](gone.md)",
        "[[<% tp.date.now() %>]] [[{{title}}]] [[n#{{section}}]]",
    ],
)
def test_links_that_lead_somewhere_are_fine(make_vault, link):
    assert found_in(make_vault({**TARGET, "m.md": f"{link}\n\n## Own\n"})) == []


@pytest.mark.parametrize(
    "link",
    [
        "[[gone]]",
        "[[sub/gone]]",
        "[[n#Gone]]",
        "[[n#Deep#A Heading: with *marks*]]",
        "[[n#^gone]]",
        "[[#Gone]]",
        "[[#^gone]]",
        "[[n#a-heading-with-marks]]",
        "[x](gone.md)",
        "[x](sub/n.md#gone)",
        "[x](gone/)",
        "[[sub]]",
        "[[gone.png]]",
        "[[n^b1]]",
        "[![](pic.png)](gone.md)",
        "| [[gone\\|a]] |\n|---|",
    ],
)
def test_links_that_lead_nowhere_are_hints(make_vault, link):
    vault = make_vault({**TARGET, "m.md": f"first line\n\n{link}\n"})
    assert found_in(vault) == [(3, "broken-link")]
    assert "broken-link" in HINT_CODES
    assert vault.render("m.md").diagnostics == ()


@pytest.mark.parametrize(
    "embed", ["![[gone]]", "![[n#Gone]]", "![[n#^gone]]", "![[gone.png]]", "![[m]]", "![[../../x]]"]
)
def test_embeds_are_told_once(make_vault, embed):
    vault = make_vault({**TARGET, "m.md": embed})
    assert found_in(vault) == [(1, each.code) for each in vault.render("m.md").diagnostics]
    assert len(vault.diagnostics) == 1


def test_images_of_markdown_that_are_missing_are_told(make_vault):
    assert found_in(make_vault({"m.md": "![x](gone.png)\n![y](https://example.org/z.png)"})) == [
        (1, "missing-attachment")
    ]


def test_ways_out_of_the_vault_are_told_as_such(make_vault):
    assert found_in(make_vault({"m.md": "[x](../../gone.md#H) [[/etc/passwd]]"})) == [(1, "outside-vault")] * 2


def test_a_note_that_cannot_be_read_is_told_and_not_its_headings(make_vault):
    vault = make_vault({"m.md": "[[bad#H]] [[bad#^x]]", "bad.md": b"\xff"})
    assert [(each.path, each.code) for each in vault.diagnostics] == [("bad.md", "undecodable")]


def test_links_in_properties_are_looked_at_too(make_vault):
    head = (
        '---\nup: "[[gone]]"\nsee: ["[[n#Deep]]", "[[n#Gone]]", "https://example.org"]\ncover: "![[gone.png]]"\n---\n'
    )
    vault = make_vault({**TARGET, "m.md": f"{head}[[gone]]"})
    assert found_in(vault) == [(2, "broken-link"), (3, "broken-link"), (4, "missing-attachment"), (6, "broken-link")]


def test_links_of_canvases_have_their_line(make_vault):
    vault = make_vault(
        {"m.canvas": '{"nodes": [\n{"type": "text", "text": "[[gone]]"},\n{"type": "file", "file": "away.md"}]}'}
    )
    assert [(each.line, each.code) for each in vault.diagnostics] == [(2, "broken-link"), (3, "broken-link")]


def test_messages_do_not_quote_restricted_notes(make_vault):
    vault = make_vault({"m.md": "---\npermission: staff\n---\n[[Hush]] [[m#Hushed]] ![x](hush.png)"})
    assert len(vault.diagnostics) == 3
    assert not [each for each in vault.diagnostics if "hush" in each.message.lower()]


def test_line_ends_of_any_kind_count_lines(make_vault):
    for newline in ("\n", "\r\n", "\r"):
        vault = make_vault({"m.md": newline.join(["---", "a: b", "---", "", "[[gone]]", "[[#Gone]]"])})
        assert found_in(vault) == [(5, "broken-link"), (6, "broken-link")]


def test_each_note_is_read_once_for_all_links_to_its_parts(make_vault, monkeypatch):
    files = {f"n{number}.md": "# H\n\n[[hub#Part]] [[hub#^x]] [[hub#Gone]]" for number in range(50)}
    vault = make_vault({**files, "hub.md": "# Part\n\ntext ^x"})
    read = vault._reader.read
    calls: list[str] = []
    monkeypatch.setattr(vault._reader, "read", lambda path, *rest: calls.append(path) or read(path, *rest))
    assert len(vault.diagnostics) == 50
    assert calls.count("hub.md") <= 2


def test_every_unresolved_link_of_the_development_data_is_told_at_its_line(test_data):
    for folder in sorted(path for path in (test_data / "vaults").iterdir() if path.is_dir()):
        vault = Vault(folder)
        told = {(each.path, each.line) for each in vault.diagnostics}
        unresolved = [(path, link) for path in vault.paths() for link in vault.note(path).links if link.path is None]
        assert {path for path, _ in unresolved} == {path for path, names in vault.links.unresolved.items() if names}
        for path, link in unresolved:
            is_placeholder = "<%" in link.target or "{{" in link.target
            is_folder = (vault.file(path).parent / link.target).is_dir()
            assert ((path, link.line) in told) or is_placeholder or is_folder, f"{folder.name}/{path}: {link}"
