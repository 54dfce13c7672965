import pytest

from obsirag.vault.rendering import MAX_EMBEDS

SOURCE = """---
secret: yes
---
# Top
intro ^in

One sentence. ^one

First line
second line ^two

- item a
- item b ^item
  - child

| x | y |
| - | - |
| 1 | 2 |

^table

> said ^quote

```py
code()  # ^no
```

^code

## Part
text
### Deep
deeper

## Next
not wanted
"""


def rendered_text(make_vault, host, **options):
    files = {"src.md": SOURCE, "host.md": host, **options.pop("files", {})}
    return make_vault(files, **options).render("host.md").text


@pytest.mark.parametrize(
    ("embed", "content"),
    [
        ("![[src#^one]]", "One sentence."),
        ("![[src#^ONE|shown]]", "One sentence."),
        ("![[src.md#^two]]", "First line\nsecond line"),
        ("![[src#^item]]", "- item b\n  - child"),
        ("![[src#^table]]", "| x | y |\n| - | - |\n| 1 | 2 |"),
        ("![[src#^quote]]", "> said"),
        ("![[src#^code]]", "```py\ncode()  # ^no\n```"),
        ("![[src#Part]]", "## Part\ntext\n### Deep\ndeeper"),
        ("![[src#part#DEEP]]", "### Deep\ndeeper"),
        ("![[src#Top#Next]]", "## Next\nnot wanted"),
        ("![[ src # Next ]]", "## Next\nnot wanted"),
        ("![[src#Deep|alias]]", "### Deep\ndeeper"),
    ],
)
def test_an_embed_brings_exactly_its_part(make_vault, embed, content):
    assert rendered_text(make_vault, embed) == content
    assert rendered_text(make_vault, f"before\n\n{embed}\n\nafter\n") == f"before\n\n{content}\n\nafter\n"


def test_a_whole_note_comes_without_its_front_matter(make_vault):
    text = rendered_text(make_vault, "![[src]]\n")
    assert text.startswith("# Top\nintro\n\nOne sentence.\n")
    assert text.endswith("## Next\nnot wanted\n")
    assert "secret" not in text


def test_the_heading_of_a_section_can_be_dropped(make_vault):
    assert rendered_text(make_vault, "![[src#Part]]", embed_heading="drop") == "text\n### Deep\ndeeper"


def test_the_right_one_of_equal_headings_is_found_by_its_path(make_vault):
    note = "# One\n## Setup\nfirst\n# Two\n## Other\n## Setup\nsecond\n"
    files = {"n.md": note}
    assert rendered_text(make_vault, "![[n#Two#Setup]]", files=files) == "## Setup\nsecond"
    assert rendered_text(make_vault, "![[n#Setup]]", files=files) == "## Setup\nfirst"
    assert rendered_text(make_vault, "![[n#One#Other]]", files=files) == "![[n#One#Other]]"


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ("A: b, c", "A b c"),
        ("What?", "what"),
        ("Use `x` **now**", "Use x now"),
        ("Caf\u00e9", "Cafe\u0301"),
        ("1. A|B", "1 A B"),
    ],
)
def test_headings_are_compared_without_punctuation(make_vault, heading, link):
    assert rendered_text(make_vault, f"![[n#{link}]]", files={"n.md": f"## {heading}\nx"}) == f"## {heading}\nx"


def test_a_heading_with_a_block_id_is_found_with_and_without_it(make_vault):
    files = {"n.md": "# Head ^h\nx\n"}
    for link in ("n#Head", "n#Head ^h"):
        assert rendered_text(make_vault, f"![[{link}]]", files=files) == "# Head\nx"
    assert make_vault(files).note("n.md").title == "Head"


def test_a_comment_that_reaches_out_of_a_part_stays_hidden(make_vault):
    note = "p ^one\n\n- item ^two\n  sub %%hush\n\n# Hush\n\nhush%% tail ^three\n\n# H\n"
    for part in ("#^one", "#^two", "#^three", "#H", "#Hush", ""):
        assert "hush" not in rendered_text(make_vault, f"![[n{part}]]", files={"n.md": note}).replace("#Hush", "")


def test_headings_and_ids_in_code_are_none(make_vault, codes):
    note = "```\n# Fake\nx ^fake\n```\n\n    # Fake\n\n# Real\nx\n"
    vault = make_vault({"n.md": note, "m.md": "![[n#Fake]]\n\n![[n#^fake]]\n"})
    rendered = vault.render("m.md")
    assert rendered.text == "![[n#Fake]]\n\n![[n#^fake]]\n"
    assert codes(rendered) == [("m.md", 1, "missing-heading"), ("m.md", 3, "missing-block")]


INLINE = [
    ("See: ![[src#^one]] end.", "See: One sentence. end."),
    ("![[src#^one]]![[src#^one]]", "One sentence.One sentence."),
    ("a ![[src#^two]] b", "a First line\nsecond line b"),
    ("- a ![[src#^two]] b", "- a First line\n  second line b"),
    ("> a ![[src#^two]] b", "> a First line\n> second line b"),
    ("> [!note] T ![[src#^two]]\n> b", "> [!note] T First line\n> second line\n> b"),
    ("# H ![[src#^two]]", "# H First line second line"),
    ("| ![[src#^two]] | b |\n| - | - |", "| First line second line | b |\n| - | - |"),
    ("a ![[src#^item]] b", "a\n\n- item b\n  - child\n\nb"),
    ("- a ![[src#^item]] b", "- a\n\n  - item b\n    - child\n\n  b"),
    ("> a ![[src#^item]] b", "> a\n>\n> - item b\n>   - child\n>\n> b"),
]


@pytest.mark.parametrize(("host", "text"), INLINE)
def test_an_embed_within_a_line(make_vault, host, text):
    assert rendered_text(make_vault, host) == text
    assert rendered_text(make_vault, host.replace("\n", "\r\n") + "\r\n").replace("\r", "") == text + "\n"


ALONE = [
    ("> ![[src#Part]]", "> ## Part\n> text\n> ### Deep\n> deeper"),
    ("> [!tip] T\n> ![[src#^two]]\n> b", "> [!tip] T\n> First line\n> second line\n>\n> b"),
    ("- ![[src#^two]]\n- b", "- First line\n  second line\n- b"),
    ("1. ![[src#^item]]", "1. - item b\n     - child"),
    ("- [ ] ![[src#^two]]", "- [ ] First line\n  second line"),
    ("- a\n  ![[src#^code]]\n  b", "- a\n\n  ```py\n  code()  # ^no\n  ```\n\n  b"),
    ("> > ![[src#^two]]", "> > First line\n> > second line"),
    ("> - ![[src#^two]]", "> - First line\n>   second line"),
    ("a\n![[src#^one]]\nb", "a\n\nOne sentence.\n\nb"),
    ("a\n  ![[src#^two]]  \n***\n", "a\n\nFirst line\nsecond line\n\n***\n"),
    ("a\n![[src#^two]]\n---\n", "a\nFirst line second line\n---\n"),
    ("![[src#^one]]\n![[src#^two]]", "One sentence.\n\nFirst line\nsecond line"),
    ("[^1]: n\n    ![[src#^two]]", "[^1]: n\n\n    First line\n    second line"),
]


@pytest.mark.parametrize(("host", "text"), ALONE)
def test_an_embed_on_a_line_of_its_own(make_vault, host, text):
    assert rendered_text(make_vault, host) == text


@pytest.mark.parametrize(
    ("note", "end"),
    [
        ("````py\ncode\n```", "\n````"),
        ("~~~", "\n~~~"),
        ("```\ncode\n\n", "\n```"),
        ("<!-- x\n\ny", "\n-->"),
        ("<PRE>\nx\n\ny", "\n</PRE>"),
        ("<script", "\n</script>"),
        ("<?php\n\ny", "\n?>"),
        ("<!DOCTYPE x", "\n>"),
        ("<![CDATA[ x", "\n]]>"),
        ("<style>\n\ny</style>", ""),
        ("<pre>\n\ny</script>", ""),
        ("<?>", ""),
        ("<!-->", ""),
        ("<div>\nx", ""),
        ("```\ncode\n```", ""),
        ("```\ncode\n````  ", ""),
        ("$$\nx\n$$", ""),
        ("$$x$$", ""),
        ("<!-- x -->", ""),
    ],
)
def test_what_an_embedded_note_never_closes_ends_with_it(make_vault, note, end):
    vault = make_vault({"n.md": note, "m.md": "![[n]]\n\n# H\n\n> ![[n]]\n\n# H"})
    text = vault.render("m.md").text
    content = note.rstrip() + end
    quoted = "\n".join(f"> {line}".rstrip() for line in content.split("\n"))
    assert text == f"{content}\n\n# H\n\n{quoted}\n\n# H"
    assert vault.render("n.md").text == note


@pytest.mark.parametrize(
    ("host", "is_block"),
    [
        ("![[src#Part]]", True),
        ("  ![[src#Part]]", True),
        ("a ![[src#Part]] b", True),
        ("a ![[src#^one]] b", False),
        ("> ![[src#Part]]", False),
        ("- ![[src#Part]]", False),
        ("- a\n\n  ![[src#Part]]", False),
    ],
)
def test_an_island_is_what_stands_on_lines_of_its_own_outside_quotes_and_lists(make_vault, host, is_block):
    rendered = make_vault({"src.md": SOURCE, "host.md": host}).render("host.md")
    assert [embed.is_block for embed in rendered.embeds] == [is_block]
    assert rendered.embeds[0].path == "src.md"


def test_several_blocks_in_a_table_cell_stay_a_link(make_vault, codes):
    vault = make_vault({"src.md": SOURCE, "m.md": "| ![[src#Part]] |\n| - |\n"})
    rendered = vault.render("m.md")
    assert rendered.text == "| [[src#Part]] |\n| - |\n"
    assert codes(rendered) == [("m.md", 1, "embed-not-inline")]


def test_bars_are_escaped_in_a_table(make_vault):
    assert rendered_text(make_vault, "| ![[n]] |\n| - |", files={"n.md": r"a | b \| c"}) == "| a \\| b \\| c |\n| - |"


def test_a_block_within_a_quote_or_list_comes_without_its_marks(make_vault):
    note = "> - a\n>   more ^qa\n> - b\n\n- x\n  - y\n    - z ^y\n      - w\n"
    files = {"n.md": note}
    assert rendered_text(make_vault, "![[n#^qa]]", files=files) == "- a\n  more"
    assert rendered_text(make_vault, "![[n#^y]]", files=files) == "- z\n  - w"


def test_embeds_of_the_same_note(make_vault, codes):
    vault = make_vault({"n.md": "Fact A is 42. ^fact\n\nAgain: ![[#^fact]]\n\n![[n#^fact]]\n"})
    rendered = vault.render("n.md")
    assert rendered.text == "Fact A is 42.\n\nAgain: Fact A is 42.\n\nFact A is 42.\n"
    assert codes(rendered) == []


def test_a_ring_of_embeds_ends_in_a_link(make_vault, codes):
    vault = make_vault({"A.md": "A-start ![[B]] A-end", "B.md": "B-start ![[A|x]] B-end", "S.md": "me ![[S]]"})
    assert vault.render("A.md").text == "A-start B-start [[A|x]] B-end A-end"
    assert codes(vault.render("A.md")) == [("B.md", 1, "embed-cycle")]
    assert vault.render("B.md").text == "B-start A-start [[B]] A-end B-end"
    assert vault.render("S.md").text == "me [[S]]"


def test_a_section_that_embeds_itself_is_a_ring_but_a_note_twice_is_none(make_vault, codes):
    vault = make_vault(
        {
            "n.md": "# H\nx\n\n![[#H]]\n",
            "leaf.md": "leaf",
            "m.md": "![[leaf]]\n\n![[leaf]]\n\n![[k]]",
            "k.md": "![[leaf]]",
        }
    )
    assert vault.render("n.md").text == "# H\nx\n\n[[#H]]\n"
    assert codes(vault.render("n.md")) == [("n.md", 4, "embed-cycle")]
    assert vault.render("m.md").text == "leaf\n\nleaf\n\nleaf"
    assert codes(vault.render("m.md")) == []


def test_depth_is_bounded(make_vault, codes):
    files = {f"n{i}.md": f"t{i} ![[n{i + 1}]]" for i in range(9)} | {"n9.md": "end"}
    assert make_vault(files).render("n0.md").text == "t0 t1 t2 t3 t4 t5 t6 t7 t8 end"
    shallow = make_vault(files, max_embed_depth=2).render("n0.md")
    assert shallow.text == "t0 t1 t2 [[n3]]"
    assert codes(shallow) == [("n2.md", 1, "embed-limit")]
    assert make_vault(files, max_embed_depth=0).render("n0.md").text == "t0 [[n1]]"


def test_the_marks_before_each_line_count_for_the_size(make_vault, codes):
    host = "> " * 50 + "![[n]]"
    vault = make_vault({"n.md": "x\n\n" * 100, "m.md": host}, max_rendered_chars=5_000)
    rendered = vault.render("m.md")
    assert rendered.text == host.replace("!", "")
    assert codes(rendered) == [("m.md", 1, "embed-limit")]


def test_size_is_bounded(make_vault, codes):
    files = {f"n{i}.md": f"![[n{i + 1}]]\n\n" * 10 for i in range(9)} | {"n9.md": "end"}
    rendered = make_vault(files, max_rendered_chars=5000).render("n0.md")
    assert len(rendered.text) <= 5000
    assert {code for _, _, code in codes(rendered)} == {"embed-limit"}
    assert rendered.text.count("end") > 10


@pytest.mark.parametrize(
    ("embed", "code"),
    [
        ("![[gone]]", "missing-note"),
        ("![[gone#Part|x]]", "missing-note"),
        ("![[src#Gone]]", "missing-heading"),
        ("![[src#Part#Next]]", "missing-heading"),
        ("![[src#^gone]]", "missing-block"),
        ("![[src^one]]", "malformed-embed"),
        ("![[../../outside/secret]]", "outside-vault"),
        ("![[/etc/hostname]]", "outside-vault"),
        ("![[C:\\secret]]", "outside-vault"),
        ("![[..%2F..%2Fsecret]]", "outside-vault"),
        ("![x](../../outside/secret.md)", "outside-vault"),
        ("[x](../../outside/secret.md)", "outside-vault"),
    ],
)
def test_what_is_not_there_stays_as_written_and_is_told(make_vault, codes, embed, code):
    rendered = make_vault({"src.md": SOURCE, "m.md": f"a\n{embed} b\nc\n"}).render("m.md")
    assert rendered.text == f"a\n{embed} b\nc\n"
    assert codes(rendered) == [("m.md", 2, code)]


def test_nothing_outside_the_vault_is_read(make_vault, tmp_path):
    (tmp_path / "secret.md").write_text("hush")
    ways = ["../secret", "../../secret", "..\\secret", str(tmp_path / "secret"), "%2e%2e/secret", "sub/../../secret.md"]
    vault = make_vault({"sub/m.md": "\n\n".join(f"![[{way}]] ![x]({way})" for way in ways)})
    assert "hush" not in vault.render("sub/m.md").text
    assert all(link.path is None for link in vault.note("sub/m.md").links)


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("a ![[x.png|300]] b", "a b"),
        ("a ![[x.png|300x200]]\nb", "a\nb"),
        ("a ![[x.png|The chart]] b", "a The chart b"),
        ("a ![[x.png|The chart|300]] b", "a The chart b"),
        ("| ![[x.png\\|300]] | ![[x.png\\|Chart]] |\n| - | - |", "| | Chart |\n| - | - |"),
        ("a\n\n![[x.png]]\n\nb", "a\n\n\nb"),
        ("a\n![[x.png]]\nb", "a\n\nb"),
        ("![[x.png|300]]", ""),
        ("![[doc.pdf#page=3]] ![[talk.mp3]]", ""),
        ("![alt](x.png) ![alt|300](x.png)", "![alt](x.png) ![alt|300](x.png)"),
    ],
)
@pytest.mark.parametrize("is_there", [True, False])
def test_attachments_leave_their_words_only(make_vault, host, text, is_there):
    files = {name: b"" for name in ("img/x.png", "doc.pdf", "talk.mp3") if is_there}
    rendered = make_vault({"m.md": host, **files}).render("m.md")
    assert rendered.text.rstrip(" ") == text
    assert rendered.metadata["attachments"]
    assert rendered.metadata["attachments"][0] in (("img/x.png", "doc.pdf") if is_there else ("x.png", "doc.pdf"))
    assert ("missing-attachment" in {each.code for each in rendered.diagnostics}) is (not is_there and "![[" in host)


COMMENTED = """Public.

%% private: pay %%

%%
multi
# no heading
%%

a %%b%% c %%d%%

`1%% x` and

```sh
echo 5%%
```
End.
"""


def test_comments_are_dropped_but_not_in_code(make_vault):
    text = make_vault({"n.md": COMMENTED}).render("n.md").text
    assert text == "Public.\n\n\n\na c\n\n`1%% x` and\n\n```sh\necho 5%%\n```\nEnd.\n"
    assert make_vault({"n.md": COMMENTED}, comments="keep").render("n.md").text == COMMENTED


def test_a_comment_between_two_lines_does_not_join_them(make_vault):
    assert make_vault({"n.md": "a\n%%\nx\n%%\n---\n"}).render("n.md").text == "a\n\n---\n"


@pytest.mark.parametrize("text", ["a %% b\n\nc\n", "100%% sure\n", "%%\nopen\n\n# H\n"])
def test_an_unclosed_comment_swallows_nothing(make_vault, codes, text):
    rendered = make_vault({"n.md": text}).render("n.md")
    assert rendered.text == text
    assert codes(rendered) == [("n.md", 1, "unclosed-comment")]


def test_embeds_in_comments_and_code_are_not_filled_in(make_vault):
    host = "%%![[src]]%%\n\n`![[src]]` and $a_{![[src]]}$\n\n~~~~\n![[src]]\n~~~\n~~~~\n\n    ![[src]]\n"
    assert rendered_text(make_vault, host, comments="keep") == host


@pytest.mark.parametrize(
    "text",
    [
        "> [!SUCCESS] **Status:** ok\n> more\n\n> [!my-own]- T\n",
        "Inline $[a, 3\\theta]$ and $a_{[[i]]}$\n\n$$\nx_1 \\# y\n# no heading\n$$\n",
        "* a\n+ b\n- c\n\t- d\n1) e\n",
        "`````\n```\n`````\n\n~~~ py\nx\n~~~\n",
        "a\r\nb\rc\nd  \r\n\\[x\\] \\# ==h== [^1] ~~s~~\n\n[^1]: note\n",
        "<div>\n<!-- c -->\n</div>\n\n- [x] done\n- [/] half\n",
        "```dataview\nTABLE x FROM #a\n```\n\n<% tp.date.now() %> `= this.x`\n",
        "[[a]] [[a|b]] [[a#H]] [b](a.md#H) [w](https://e.org) <https://e.org>\n",
        "first\n\n---\nno field\n---\nlast\n",
        "",
        "\n\n",
        "no line end",
    ],
)
def test_everything_else_is_kept_character_for_character(make_vault, text):
    assert make_vault({"n.md": text.encode()}).render("n.md").text == text
    assert make_vault({"n.md": b"---\r\nx: 1\r\n---\r\n" + text.encode()}).render("n.md").text == text


def test_metadata_is_the_front_matter_with_what_the_text_holds(make_vault):
    note = (
        "---\ndate: 2024-01-05\ntags: [a, '#b']\naliases: Other\nrank: {x: [1]}\n---\n"
        "# Heading\n#c and `#no` #a/b\n[[t|T]] [[gone]] ![[t]] [u](t.md) [w](https://e.org) ![[p.png]] ![q](p.png)\n"
    )
    rendered = make_vault({"n.md": note, "sub/t.md": "t", "p.png": ""}).render("n.md")
    assert rendered.metadata["tags"] == ["a", "b", "c", "a/b"]
    assert rendered.metadata["aliases"] == ["Other"]
    assert rendered.metadata["title"] == "Heading"
    assert rendered.metadata["links"] == ["sub/t.md", "gone"]
    assert rendered.metadata["attachments"] == ["p.png"]
    assert str(rendered.metadata["date"]) == "2024-01-05"
    assert rendered.metadata["rank"] == {"x": [1]}


def test_permissions_gather_on_the_way_in(make_vault):
    vault = make_vault(
        {
            "host.md": "![[a]]\n\n![[open]]",
            "a.md": "---\npermission: [x, y]\n---\nA ![[b]]",
            "b.md": "---\npermissions: z\n---\nB",
            "open.md": "O",
        }
    )
    rendered = vault.render("host.md")
    assert rendered.permissions == ()
    assert [(each.path, each.permissions) for each in rendered.embeds] == [
        ("a.md", (("x", "y"),)),
        ("b.md", (("x", "y"), ("z",))),
        ("open.md", ()),
    ]
    assert vault.render("a.md").permissions == (("x", "y"),)
    assert [each.permissions for each in vault.render("a.md").embeds] == [(("x", "y"), ("z",))]


def test_messages_do_not_quote_restricted_notes(make_vault):
    secret = (
        "---\npermission: x\n---\n![[hushhush]] ![[src#hushhush]] [[../../hushhush]] ![[hush^hush]] ![[hushhush.png]]\n"
    )
    bad = "---\npermission: [x\nhushhush: a: b\n---\n![[hushhush]]"
    vault = make_vault({"s.md": secret, "bad.md": bad, "src.md": SOURCE, "open.md": "![[s]]"})
    assert len(vault.diagnostics) > 5
    assert not [str(each) for each in vault.diagnostics if "hush" in str(each)]


def test_dependencies_are_all_that_the_text_was_made_from(make_vault):
    vault = make_vault({"m.md": "![[a]] ![[gone]] [[linked]]", "a.md": "![[b#Nope]] x", "b.md": "b", "linked.md": ""})
    assert vault.render("m.md").dependencies == {"m.md", "a.md", "b.md", "gone"}
    assert vault.render("linked.md").dependencies == {"linked.md"}


def test_unreadable_notes_are_told_and_others_go_on(make_vault, codes):
    vault = make_vault({"bad.md": b"\xff\xfe\x00", "gbk.md": "中文".encode("gbk"), "m.md": "![[gbk]] x"})
    assert vault.render("bad.md").text == ""
    assert codes(vault.render("gbk.md")) == [("gbk.md", 0, "undecodable")]
    rendered = vault.render("m.md")
    assert rendered.text == "![[gbk]] x"
    assert codes(rendered) == [("gbk.md", 0, "undecodable")]
    assert {each.path for each in vault.diagnostics} == {"bad.md", "gbk.md"}


def test_names_are_whole_names(make_vault, codes):
    vault = make_vault({"plan.md": "right", "my-plan.md": "wrong", "m.md": "![[plan]]"})
    assert vault.render("m.md").text == "right"
    assert codes(vault.render("m.md")) == []


def test_ambiguous_names_are_told_with_their_line(make_vault, codes):
    vault = make_vault({"a/n.md": "a", "bb/n.md": "b", "m.md": "x\n![[n]] [[n]]", "bb/k.md": "![[n]]"})
    assert vault.render("m.md").text == "x\na [[n]]"
    assert codes(vault.render("m.md")) == [("m.md", 2, "ambiguous-name")]
    assert vault.render("bb/k.md").text == "b"
    assert codes(vault.render("bb/k.md")) == []


def test_tiny_embeds_that_multiply_are_bounded(make_vault, codes):
    files = {f"b{level}.md": f"![[b{level + 1}]]\n\n" * 8 for level in range(9)} | {"b9.md": ""}
    rendered = make_vault(files).render("b0.md")
    assert {code for _, _, code in codes(rendered)} == {"embed-limit"}
    assert len(rendered.text) < 20 * MAX_EMBEDS


def test_as_many_embeds_as_allowed_are_filled_in(make_vault, codes):
    vault = make_vault({"m.md": "![[x]]\n\n" * (MAX_EMBEDS + 1), "x.md": "y"})
    rendered = vault.render("m.md")
    assert codes(rendered) == [("m.md", 2 * MAX_EMBEDS + 1, "embed-limit")]
    assert rendered.text.count("y") == MAX_EMBEDS
