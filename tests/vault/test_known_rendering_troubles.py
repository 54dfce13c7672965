"""What exporters of vaults are known to get wrong: embeds, links, comments, and text that should stay as it is."""

import pytest

BLOCKS = {
    "paragraph": ("The one sentence I want. ^ab12cd", "The one sentence I want."),
    "two lines": ("The first line\nand the second ^ab12cd", "The first line\nand the second"),
    "item with children": ("- one\n- two ^ab12cd\n  - deep\n\n    more\n- three", "- two\n  - deep\n\n    more"),
    "numbered item": ("1. one\n2. two ^ab12cd\n3. three", "2. two"),
    "task": ("- [ ] one\n- [x] two ^ab12cd", "- [x] two"),
    "table": ("| a | b |\n|---|---|\n| 1 | 2 |\n\n^ab12cd", "| a | b |\n|---|---|\n| 1 | 2 |"),
    "quote": ("> said\n> more\n\n^ab12cd", "> said\n> more"),
    "callout": ("> [!tip] T\n> more\n\n^ab12cd", "> [!tip] T\n> more"),
    "whole list": ("- one\n- two\n\n^ab12cd", "- one\n- two"),
    "fence": ("```py\nx = 1  # ^not\n```\n^ab12cd", "```py\nx = 1  # ^not\n```"),
    "maths": ("$$\nx^2\n$$\n^ab12cd", "$$\nx^2\n$$"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", BLOCKS)
def test_an_embedded_block_is_that_block_alone(make_vault, codes, kind, newline):
    block, wanted = (text.replace("\n", newline) for text in BLOCKS[kind])
    source = f"Before.{newline}{newline}{block}{newline}{newline}After, must not appear.{newline}"
    vault = make_vault(
        {"src.md": source.encode(), "main.md": f"See:{newline}{newline}![[src#^ab12cd]]{newline}".encode()}
    )
    rendered = vault.render("main.md")
    assert rendered.text == f"See:{newline}{newline}{wanted}{newline}"
    assert codes(rendered) == []
    assert rendered.locate(rendered.text.index(wanted[:3])).path == "src.md"
    assert "^ab12cd" not in vault.render("src.md").text


def test_an_embedded_paragraph_stands_in_its_line(make_vault):
    vault = make_vault(
        {"src.md": "Before.\n\nThe one sentence I want. ^ab12cd\n\nAfter.\n", "main.md": "See: ![[src#^ab12cd]]\n"}
    )
    assert vault.render("main.md").text == "See: The one sentence I want.\n"


@pytest.mark.parametrize("target", ["", "n", "n.md", "./n", "N"])
def test_a_block_of_the_same_note_is_no_ring(make_vault, target):
    vault = make_vault({"n.md": f"Fact A is 42. ^fact-a\n\nAgain: ![[{target}#^fact-a]]\n"})
    assert vault.render("n.md").text == "Fact A is 42.\n\nAgain: Fact A is 42.\n"
    assert vault.diagnostics == []


CHILD = "# Child\nintro\n## A Section\nwanted\n### Sub\nalso wanted\n## Next\nnot wanted\n"
SECTION = "## A Section\nwanted\n### Sub\nalso wanted"


@pytest.mark.parametrize(
    "written", ["A Section", "a section", " A  Section ", "A Section|shown", "Child#A Section", "#A Section"]
)
def test_an_embedded_section_ends_at_the_next_heading_of_its_level(make_vault, written):
    assert make_vault({"child.md": CHILD, "p.md": f"![[child#{written}]]\n"}).render("p.md").text == f"{SECTION}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Two#Setup", "## Setup\ntwo-setup"),
        ("One#Setup", "## Setup\none-setup"),
        ("Setup", "## Setup\none-setup"),
        ("Two#Setup#Deep", "### Deep\ntwo-deep"),
        ("Two#Deep", "### Deep\ntwo-deep"),
    ],
)
def test_the_path_of_headings_tells_equal_ones_apart(make_vault, path, text):
    note = "# One\n## Setup\none-setup\n# Two\n## Setup\ntwo-setup\n### Deep\ntwo-deep\n"
    assert make_vault({"Note.md": note, "m.md": f"![[Note#{path}]]"}).render("m.md").text.startswith(text)


@pytest.mark.parametrize("path", ["Setup#One", "One#Deep", "Gone#Setup", "Two#Gone"])
def test_a_path_that_is_not_there_brings_nothing(make_vault, codes, path):
    note = "# One\n## Setup\none-setup\n# Two\n## Setup\ntwo-setup\n### Deep\ntwo-deep\n"
    rendered = make_vault({"Note.md": note, "m.md": f"![[Note#{path}]]"}).render("m.md")
    assert rendered.text == f"![[Note#{path}]]"
    assert codes(rendered) == [("m.md", 1, "missing-heading")]


RINGS = {
    "itself": {"A.md": "A-start ![[A]] A-end\n"},
    "two": {"A.md": "A-start ![[B]] A-end\n", "B.md": "B-start ![[A]] B-end\n"},
    "three": {
        "A.md": "A-start\n\n![[B]]\n\nA-end\n",
        "B.md": "B-start ![[C]] B-end\n",
        "C.md": "C-start ![[A#H]]\n\n![[a]] C-end\n",
    },
    "section": {"A.md": "A-start\n\n# H\n\n![[A#H]]\n\nA-end\n"},
    "alias": {"A.md": "---\naliases: [Me]\n---\nA-start ![[Me]] A-end\n"},
    "block": {"A.md": "A-start\n\n- x ![[A#^i]] ^i\n\nA-end\n"},
    "canvas": {
        "A.md": "A-start ![[B.canvas]] A-end\n",
        "B.canvas": '{"nodes": [{"type": "text", "text": "B-start ![[A]]"}]}',
    },
}


@pytest.mark.parametrize("ring", RINGS)
def test_a_ring_of_embeds_ends_in_a_link_and_the_others_go_on(make_vault, ring):
    vault = make_vault({**RINGS[ring], "other.md": "fine ![[plain]]", "plain.md": "text"})
    for path in vault.paths():
        rendered = vault.render(path)
        assert len(rendered.text) < 500
        words = [
            word
            for name in rendered.dependencies
            for word in (f"{name[0]}-start", f"{name[0]}-end")
            if word in rendered.text
        ]
        assert len(words) == len(set(words))
    text = vault.render("A.md").text
    assert "A-start" in text
    assert "A-end" in text
    assert text.count("[[") >= 1
    assert "embed-cycle" in {each.code for each in vault.render("A.md").diagnostics}
    assert vault.render("other.md").text == "fine text"


@pytest.mark.parametrize("head", ["secret: yes", "secret: [", "{{secret}}: x", "title: secret\naliases: [secret2]"])
@pytest.mark.parametrize("embed", ["![[c]]", "> ![[c]]", "- ![[c]]", "a ![[c]] b", "![[c#H]]", "![[c#^b]]"])
def test_front_matter_never_comes_with_an_embed(make_vault, head, embed):
    text = make_vault({"c.md": f"---\n{head}\n---\n# H\n\nchild body ^b\n", "p.md": embed}).render("p.md").text
    assert "child body" in text
    assert "secret" not in text
    assert "---" not in text


@pytest.mark.parametrize("kind", ["SUCCESS", "note", "my-own", "TIP|wide", "中文"])
@pytest.mark.parametrize("fold", ["", "-", "+"])
def test_callouts_stay_as_they_are_and_so_they_do_in_embeds(make_vault, kind, fold):
    callout = f"> [!{kind}]{fold} **Status:** ok\n> more\n>> [!{kind}] inner\n"
    vault = make_vault({"c.md": callout, "p.md": "![[c]]\n"})
    assert vault.render("c.md").text == vault.render("p.md").text == callout


@pytest.mark.parametrize(
    "link",
    ["[[ pump]]", "[[pump ]]", "[[    pump    |the pump]]", "[[ pump#^p1 ]]", "[[\tpump\t]]", "[[ pump # ^p1 | x ]]"],
)
def test_blanks_around_names_do_not_count_and_stay(make_vault, link):
    vault = make_vault({"pump.md": "x ^p1\n", "m.md": f"{link} ![[ pump #^p1 ]]"})
    assert [each.path for each in vault.note("m.md").links] == ["pump.md", "pump.md"]
    assert vault.render("m.md").text == f"{link} x"
    assert vault.diagnostics == []


MATHS = (
    "Inline $[a, 3\\theta]$ and $a_{[[i]]}$ $![[x]]$\n\n"
    "$$\nx_1 \\# y\n# not a heading\n%% no comment %% #notag\n![[x]] ^id\n$$\n"
)


def test_maths_stays_as_it_is_and_holds_no_link_tag_or_heading(make_vault):
    vault = make_vault({"m.md": MATHS, "x.md": "embedded", "p.md": "![[m]]\n"})
    note = vault.note("m.md")
    assert vault.render("m.md").text == vault.render("p.md").text == MATHS
    assert (note.links, note.tags, note.block_ids, note.title) == ((), (), (), "m")


HIDDEN = (
    "Public.\n\n%% private: salary talk %%\n\n%%\nmulti\n# not a heading\nline\n%%\n\n"
    '`100%% sure` and\n\n```sh\necho "50%%"\n```\nEnd.\n'
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("host", ["n", "p"])
def test_comments_are_gone_and_code_is_not(make_vault, host, newline):
    vault = make_vault(
        {"n.md": HIDDEN.replace("\n", newline).encode(), "p.md": f"> quoted{newline}{newline}![[n]]{newline}".encode()}
    )
    text = vault.render(f"{host}.md").text
    for kept in ("Public.", "`100%% sure`", 'echo "50%%"', "End."):
        assert kept in text
    for gone in ("salary", "multi", "not a heading", "line\r", "%%\n"):
        assert gone not in text
    assert vault.note("n.md").title == "n"
    assert vault.diagnostics == []


@pytest.mark.parametrize(
    "text",
    [
        "a %% b\n\nkeep\n",
        "%%\nkeep\n",
        "- item %% open\n\nkeep\n",
        "> quote %% open\n\nkeep\n",
        "%% a %% b %%\n\nkeep\n",
        "`%%` %%\n\nkeep\n",
    ],
)
def test_a_comment_without_end_hides_nothing_and_is_told(make_vault, text):
    vault = make_vault({"n.md": text})
    assert "keep" in vault.render("n.md").text
    assert [each.code for each in vault.diagnostics] == ["unclosed-comment"]
