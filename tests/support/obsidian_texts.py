"""Generated notes: every kind of block, nested, broken, with any line ends."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = [
    "alpha",
    "Beta",
    "v1.2.3",
    "file.name.py",
    "e.g.",
    "https://a.example/x.y?z=1",
    "#tag",
    "ABC-200",
    "虚幻引擎",
    "反射系统。",
    "你好，",
    "真的吗？",
    "“引用。”",
    "👩‍👩‍👧‍👦",
    "e\u0301\u0323",
    "🇨🇳🇩🇪",
    "[[note|alias]]",
    "![[pic.png|300]]",
    "[text](u.md)",
    "`code span`",
    "**bold words**",
    "==high light==",
    "$x_1 = 2$",
    "%%hidden%%",
    "end.",
    "Why?",
    "…",
    "a|b",
    "\\|",
    "<b>x</b>",
    "[^1]",
    "\u200b",
    "2.5",
    "(see",
    "below)",
    "**all of it**",
    "https://a.example/" + "long/" * 12,
    "한국어",
    "ก็็็",
    "שלום",
    "✌🏽",
    "❤\ufe0f",
    "very" * 12,
    "很长的词" * 9,
]
LEADS = [
    "Note:",
    "**Note:**",
    "For example:",
    "注意：",
    "步骤如下：",
    "**Title**",
    "This is how it goes:",
    "As said. Now see:",
]
HOSTILE = [
    "[[",
    "`",
    "``",
    "%%",
    "$",
    "$$",
    "<!--",
    "<div>",
    "> ",
    "- ",
    "    ",
    "\t",
    "***",
    "___",
    "~~~",
    "```",
    "|",
    "\\",
    "^id",
    "> - ",
    "1. ",
    "[^a]: ",
    "# ",
    "> [!note] ",
    "- [ ] ",
    "| a ",
    "\u0301",
    "👍🏽",
    "\u200d",
    "==",
    "![[a",
    "](",
    "\ud83d",
]
BLANKS = ["\u00a0", "\u3000", "\u0085", "\u2028", "\x1c", " ", "\n"]

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
lines = st.lists(words, min_size=1, max_size=4)
paragraphs = lines.map("\n".join)
blank_lines = st.lists(st.sampled_from(BLANKS), min_size=1, max_size=4).map("".join)
code_lines = st.lists(
    st.sampled_from(["x = 1", "    return y", "# not a heading", "", "def f():", "}", "- no item", "%%", "$$"]),
    max_size=8,
)


@st.composite
def fences(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from(["```", "````", "~~~", "~~~~~"]))
    body = draw(code_lines)
    closing = [mark] if draw(st.integers(0, 9)) else []
    return "\n".join([mark + draw(st.sampled_from(["", "python", " c++ "])), *body, *closing])


@st.composite
def tables(draw: st.DrawFn) -> str:
    rows = draw(st.lists(st.tuples(st.sampled_from(WORDS[:20]), words), max_size=9))
    return "\n".join(["| a | b |", "|---|:-:|", *(f"| {a} | {b.replace('|', '/')} |" for a, b in rows)])


def _indent(text: str, first: str, rest: str) -> str:
    return "\n".join((first if index == 0 else rest) + line for index, line in enumerate(text.split("\n")))


@st.composite
def bare_tables(draw: st.DrawFn) -> str:
    """Return a table without bars at its sides, one with a wide head, or one that breaks off."""
    rows = draw(st.lists(words.map(lambda row: row.replace("|", "/")), max_size=6))
    head, marks = draw(
        st.sampled_from([("a | b", "--- | ---"), ("|a|b|c|", "|-|-|-|"), ("| long head " * 6, "|--" * 6)])
    )
    return "\n".join([head, marks, *(f"{row} | {row}" for row in rows)])


simple = st.one_of(
    paragraphs,
    st.sampled_from(LEADS),
    bare_tables(),
    st.tuples(tables(), st.just("^table-id")).map("\n\n".join),
    lines.map(lambda body: "\n".join(["- [ ] " + line for line in body])),
    lines.map(lambda body: "\n".join([f"{number}) {line}" for number, line in enumerate(body, 9)])),
    lines.map(lambda body: "\n".join(["<details><summary>more</summary>", "", *body, "", "</details>"])),
    st.tuples(paragraphs, paragraphs).map(lambda pair: "[^note]: " + _indent("\n\n".join(pair), "", "    ")),
    st.sampled_from(
        ["$$x = 1$$", "\\", "![[pic.png]]", "![[note#part]]", "^alone", "#tag #tag/b", "\t- tab", "+ plus\n\n\t\tcode"]
    ),
    paragraphs.map(lambda text: text + " ^block-id"),
    fences(),
    tables(),
    code_lines.map(lambda body: _indent("\n".join(["code", *body]), "    ", "    ")),
    lines.map(lambda body: "\n".join(["$$", *body, "$$"])),
    lines.map(lambda body: "\n".join(["%%", *body, "# hidden", "%%"])),
    lines.map(lambda body: "\n".join(["<div>", *body, "</div>"])),
    paragraphs.map(lambda text: "[^1]: " + text),
    st.sampled_from(["---", "***", "<!-- a\n\n# b -->"]),
    blank_lines,
    st.tuples(blank_lines, paragraphs, blank_lines).map("".join),
)
headings = st.one_of(
    st.tuples(st.integers(1, 6), words).map(lambda pair: "#" * pair[0] + " " + pair[1]),
    st.tuples(words, st.sampled_from(["===", "---"])).map("\n".join),
    st.sampled_from(["#", "## ##", "# Same", "## Same", "### closed ###"]),
    st.tuples(words, words).map(lambda pair: "\n".join([*pair, "==="])),
    st.tuples(st.integers(1, 3), st.lists(words, min_size=2, max_size=4)).map(
        lambda pair: "\n\n".join("#" * (pair[0] + index) + " " + line for index, line in enumerate(pair[1]))
    ),
)


def _nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map("\n\n".join)
    return st.one_of(
        st.lists(inner.map(lambda text: _indent(text, "- ", "  ")), min_size=1, max_size=4).map("\n".join),
        st.lists(inner.map(lambda text: _indent(text, "1. ", "   ")), min_size=1, max_size=3).map("\n\n".join),
        body.map(lambda text: _indent(text, "> ", "> ")),
        body.map(lambda text: _indent("[!note]- Title\n" + text, "> ", "> ")),
        inner.map(lambda text: _indent(text, "- [x] ", "      ")),
        inner.map(lambda text: _indent(text, "-\t", "\t")),
        inner.map(lambda text: _indent(text, "[^2]: ", "    ")),
        inner.map(lambda text: _indent(text, ">", ">")),
        inner.map(lambda text: _indent("[!tip]\n" + text, "> ", "> ")),
        st.sampled_from(LEADS).flatmap(lambda lead: inner.map(lambda text: lead + "\n\n" + text)),
        inner.map(lambda text: _indent(text, "- ", "")),  # lazy or broken
        inner.map(lambda text: _indent(text, "> ", "")),
    )


blocks = st.recursive(simple, _nest, max_leaves=6)
hostile = st.tuples(st.sampled_from(HOSTILE), st.integers(1, 60), st.sampled_from(["", " ", "\n", "a"])).map(
    lambda parts: (parts[0] + parts[2]) * parts[1]
)
raw = st.text(st.sampled_from("ab \n\t#->`~|$%[]()*_=。，字\r\u0301👍\u00a0\u3000\u2028\x1c"), max_size=40)


@st.composite
def texts(draw: st.DrawFn, *, broken: bool = True) -> str:
    """Return a note's text."""
    parts = [headings, blocks, blocks, blocks, paragraphs]
    if broken:
        parts += [hostile, raw]
    text = draw(st.sampled_from(["\n\n", "\n\n\n", "\n"])).join(draw(st.lists(st.one_of(*parts), max_size=10)))
    if broken and draw(st.booleans()):
        text = draw(st.sampled_from(["---\na: 1\n---\n", "\ufeff---\ntags: [x]\n...\n", "---\nunclosed\n"])) + text
    ends = draw(st.sampled_from(["\n", "\r\n", "\r", "mixed"]))
    if ends == "mixed":
        pieces = text.split("\n")
        return "".join(line + ("\n", "\r\n", "\r")[index % 3] for index, line in enumerate(pieces))
    return text.replace("\n", ends)
