"""What is embedded in a list, quote, callout or footnote consists there of the blocks that it has in its note."""

import pytest

from obsirag.markdown import nested_blocks, scan

CONTENTS = {
    "two paragraphs": "one\nline\n\ntwo",
    "heading": "# H\n\ntext",
    "setext heading": "H\n===\ntext",
    "fence": "```py\na = 1\n\n# b\n```",
    "open fence": "~~~~\na",
    "indented code": "    code\n\n    more\n\ntext",
    "list": "- a\n  - b\n\n    c\n- d",
    "numbered list": "3. a\n4. b",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "quote": "> a\n> > b",
    "callout": "> [!tip] a\n> - b",
    "rule": "---\ntext",
    "rule of stars": "* * *\n\ntext",
    "maths": "$$\nx\n$$\n\ny",
    "html": "<div>\nx\n</div>\n\ny",
    "open html": "<pre>\nx\n\ny",
    "footnote": "a[^2]\n\n[^2]: b",
}
HOSTS = [
    "- {}\n- next",
    "* {}",
    "- [ ] {}\n- [x] next",
    "- a {} b",
    "- a\n  {}\n  b",
    "-\t{}",
    "1. {}",
    "12) {}",
    "> {}\n> after",
    "> > {}",
    "> [!note] title\n> {}",
    "> [!note] {}",
    "- > {}",
    "> - {}",
    "> - [ ] {}",
    "- - {}",
    "[^1]: {}",
]


def all_blocks(text):
    """Return the depths and kinds of all blocks of a text, those inside others behind them."""
    found = []
    for block in scan(text):
        found += [(0, block.kind), *((each.level, each.kind) for each in nested_blocks(text, block))]
    return found


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("content", ["\u3000", "\u00a0\n\u2003", "\x0c"])
def test_content_of_blanks_is_no_block(make_vault, host, content):
    vault = make_vault({"c.md": content, "h.md": host.replace("{}", "![[c]]")})
    shown = vault.render("h.md").text.replace(">", "")
    assert shown.split() == host.replace("{}", "").replace(">", "").split()


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_blocks_stay_what_they_are(make_vault, host, content, newline):
    text = CONTENTS[content]
    vault = make_vault({"c.md": text.replace("\n", newline).encode(), "h.md": host.replace("{}", "![[c]]")})
    rendered = vault.render("h.md").text
    wanted = all_blocks(text)
    (outer,) = [block for block in scan(rendered) if "next" not in rendered[block.start : block.end]]
    inner = [(each.level, each.kind) for each in nested_blocks(rendered, outer)]
    assert any(
        [(depth - inner[start][0], kind) for depth, kind in inner[start : start + len(wanted)]] == wanted
        for start in range(len(inner))
    ), rendered
    assert vault.diagnostics == []
