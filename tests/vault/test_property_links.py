"""Links in front matter are links of the note."""

import pytest

from obsirag.vault import yaml_reader
from obsirag.vault.property_links import MAX_LINKS

FILES = dict.fromkeys(["Home.md", "A.md", "B.md", "2024.md", "2024-01-05.md", "Smith, John.md", "x.png", "t/C.md"], "")


@pytest.mark.parametrize(
    ("yaml", "links"),
    [
        ('up: "[[Home]]"', ["Home.md"]),
        ("up: '[[Home#Part|that]]'", ["Home.md"]),
        ("up: [[Home]]", ["Home.md"]),
        ("up: [[ Home ]]", ["Home.md"]),
        ("up: [[Home|start]]", ["Home.md"]),
        ('related: ["[[A]]", "[[B|b]]"]', ["A.md", "B.md"]),
        ("related:\n  - [[A]]\n  - '[[B]]'", ["A.md", "B.md"]),
        ("related: [[[A]], [[B]]]", ["A.md", "B.md"]),
        ("a: {b: {c: ['[[A]]']}}", ["A.md"]),
        ("see: '[[B]] before [[A]]'", ["B.md", "A.md"]),
        ("see: |\n  [[A]]\n  `[[B]]`", ["A.md"]),
        ("see: '[a](A.md#H) [b](https://example.org/B.md)'", ["A.md"]),
        ("see: '[c](t/C.md)'", ["t/C.md"]),
        ("cover: '![[x.png]]'", ["x.png"]),
        ("year: [[2024]]\nday: [[2024-01-05]]", ["2024.md", "2024-01-05.md"]),
        ("by: [[Smith, John]]", ["Smith, John.md"]),
        ("# up: [[Home]]\nrows: [[1, 2], [3, 4]]\npoint: [[1, 2]]\nnames: [['a', 'b']]\nnone: [[]]", []),
        ("aliases: [[A]]\ntags: [[B]]\nAlias: '[[A]]'", []),
        ("title: no links\nweb: https://example.org", []),
    ],
)
def test_links_of_any_shape_are_found(make_vault, yaml, links):
    vault = make_vault({**FILES, "n.md": f"---\n{yaml}\n---\ntext\n"})
    note = vault.note("n.md")
    assert [link.path for link in note.links] == links
    assert list(vault.links.outgoing["n.md"]) == links
    assert not vault.links.unresolved["n.md"]
    for path in links:
        assert vault.links.backlinks[path] == ("n.md",)
    assert vault.render("n.md").text == "text\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_they_come_first_with_their_lines_and_parts(make_vault, newline):
    lines = ["---", "a: x", "up:", "  - '[[gone#H|shown]]'", "  - [[A]]", "  - '[[A]]'", "---", "[[B]] ![[A]]"]
    vault = make_vault({**FILES, "n.md": newline.join(lines)})
    links = vault.note("n.md").links
    assert [(link.target, link.line, link.embed) for link in links] == [
        ("gone", 4, False),
        ("A", 5, False),
        ("A", 6, False),
        ("B", 8, False),
        ("A", 8, True),
    ]
    assert (links[0].subpath, links[0].alias, links[0].path) == ("#H", "shown", None)
    assert vault.links.unresolved["n.md"] == ("gone",)
    metadata = vault.render("n.md").metadata
    assert metadata["links"] == ["gone", "A.md", "B.md"]
    assert metadata["attachments"] == []


def test_they_never_lead_out_of_the_vault(make_vault, codes):
    vault = make_vault({"n.md": "---\nup: '[[../../etc/passwd]]'\nmore: [[C:\\x]]\n---\n"})
    assert [link.path for link in vault.note("n.md").links] == [None, None]
    assert codes(vault.render("n.md")) == [("n.md", 2, "outside-vault"), ("n.md", 3, "outside-vault")]


def test_front_matter_that_is_not_valid_has_none(make_vault):
    assert make_vault({"n.md": "---\nup: '[[A]]'\nup: '[[B]]'\n---\n"}).note("n.md").links == ()


def test_a_text_that_is_repeated_without_end_gives_no_more_links_than_the_limit(make_vault):
    values = ", ".join(["*a"] * (yaml_reader.MAX_NODES - 10))
    note = make_vault({"n.md": f"---\na: &a '{'[[x]] ' * 5000}'\nb: [{values}]\n---\n"}).note("n.md")
    assert len(note.links) == MAX_LINKS
