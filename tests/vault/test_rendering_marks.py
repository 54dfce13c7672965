"""Marks that are text, marks in HTML, and what is left where one was taken out."""

import pytest

from obsirag.markdown import scan


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_comment_from_the_middle_of_a_line_into_another_leaves_a_line_end(make_vault, newline):
    text = "# h %% c\n\nx %% y\n\na %%b%% c\n".replace("\n", newline)
    rendered = make_vault({"a.md": text}).render("a.md")
    assert rendered.text == f"# h{newline}y{newline}{newline}a c{newline}"
    assert rendered.locate(rendered.text.index("y")).line == 3


@pytest.mark.parametrize("mark", ["-", "100.", "> -", "- *"])
def test_an_embed_below_an_empty_item_stays_in_it(make_vault, mark):
    indent = ">   " if mark.startswith(">") else " " * (len(mark) + 1)
    vault = make_vault({"a.md": f"{mark} \n{indent}![[c]]\n", "c.md": "one\n\ntwo\n"})
    blocks = [vault.render("a.md").text[block.start : block.end] for block in scan(vault.render("a.md").text)]
    assert len(blocks) == 1
    assert "two" in blocks[0]


def test_an_escaped_mark_embeds_nothing(make_vault):
    vault = make_vault({"a.md": "\\![[c]] \\[[c]]\n", "c.md": "content"})
    assert vault.render("a.md").text == "\\![[c]] \\[[c]]\n"


@pytest.mark.parametrize("text", ["<!-- ![[c]] -->", "<div>\n![[c]] %%x%%\n</div>", "a <!-- %% --> b <!-- %% --> c"])
def test_html_stays_as_it_is(make_vault, text):
    rendered = make_vault({"a.md": text, "c.md": "content\n\n# Heading"}).render("a.md")
    assert (rendered.text, rendered.diagnostics) == (text, ())


def test_an_escaped_comment_mark_is_no_open_comment(make_vault):
    assert make_vault({"a.md": "100 \\%% and on"}).render("a.md").diagnostics == ()


@pytest.mark.parametrize(
    ("embed", "told"),
    [
        ("![[Plan#Gone]]", "'#Gone' is not in the note 'sub/Plan.md'"),
        ("![[plan#^gone]]", "'#^gone' is not in the note 'sub/Plan.md'"),
        ("![[A plan#Gone]]", "'#Gone' is not in the note 'sub/Plan.md'"),
        ("![[#Gone]]", "'#Gone' is not in this note"),
        ("![[Secret plan#Gone]]", "'#Gone' is not in the note 'Secret plan'"),
    ],
)
def test_a_missing_part_is_told_with_the_note_that_should_have_it(make_vault, embed, told):
    files = {
        "sub/Plan.md": "---\naliases: [A plan]\n---\ntext",
        "hidden/folder/Secret plan.md": "---\npermission: leads\n---\ntext",
        "m.md": embed,
        "restricted.md": f"---\npermission: leads\n---\n{embed}",
    }
    vault = make_vault(files)
    (finding,) = vault.render("m.md").diagnostics
    assert finding.message.startswith(told)
    (finding,) = vault.render("restricted.md").diagnostics
    assert not any(word in finding.message.lower() for word in ("plan", "gone", "hidden"))


def test_an_ambiguous_name_is_told_with_some_paths_that_anyone_may_know(make_vault):
    files = {f"{letter}/Plan.md": "text" for letter in "cdefgh"}
    files["b/Plan.md"] = "---\npermission: leads\n---\ntext"
    files["m.md"] = "[[Plan]]"
    files["restricted.md"] = "---\npermission: leads\n---\n[[Plan]]"
    vault = make_vault(files)
    (finding,) = vault.render("m.md").diagnostics
    assert finding.message.endswith(", such as 'c/Plan.md' or 'd/Plan.md' or 'e/Plan.md'")
    (finding,) = vault.render("restricted.md").diagnostics
    assert "Plan" not in finding.message


def test_an_ambiguous_name_is_told_without_paths_if_all_are_restricted(make_vault):
    secret = "---\npermission: leads\n---\ntext"
    vault = make_vault({"b/Plan.md": secret, "c/Plan.md": secret, "m.md": "![[Plan]]"})
    (finding,) = vault.render("m.md").diagnostics
    assert "/" not in finding.message


@pytest.mark.parametrize("link", ["[[Plan]]", "[[plan.md]]", "[[x/Plan]]", "[x](x/pl%61n.md)", "[[A plan]]"])
def test_the_paths_of_an_ambiguous_name_are_those_that_the_link_may_mean(make_vault, link):
    note = "---\naliases: [A plan]\n---\ntext"
    vault = make_vault({"b/x/Plan.md": note, "c/x/Plan.md": note, "m.md": link, "Planning.md": "", "c/y.md": ""})
    (finding,) = vault.render("m.md").diagnostics
    assert finding.message.endswith(", such as 'b/x/Plan.md' or 'c/x/Plan.md'")
