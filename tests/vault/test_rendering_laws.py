"""Laws of rendering over generated vaults."""

import re
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from obsirag.markdown import split_front_matter
from obsirag.vault import Vault

NAMES = ("a.md", "b.md", "sub/c.md", "sub/d.md")
EMBEDS = [
    f"![[{name}{part}]]" for name in "abcd" for part in ("", "#Head", "#Head#Sub", "#^id1", "|alias", "#Gone", "#^gone")
]
EMBEDS += ["![[#^id1]]", "![[#Head]]", "![[]]", "![[gone]]", "![[pic.png|300]]", "![[a^id1]]", "![[../../etc/passwd]]"]
# W stands for a word that the vault has once; E for an embed.
BLOCKS = (
    ["W"],
    ["W W", "W", "W ^id1"],
    ["# Head", "W"],
    ["## Sub", "W E"],
    ["Head", "====", "W"],
    ["- W", "- W ^id1", "  - W", "    W", "", "  W", "- E"],
    ["1. W", "   E", "   W"],
    ["- [ ] E", "- [x] W E W"],
    ["> W", "> E", "> W"],
    ["> [!note] W", "> E", "> - E"],
    ["> - W ^id1", ">   W"],
    ["```", "W E %% `", "", "W ^id1", "```"],
    ["~~~~py", "W E", "~~~~", "", "^id1"],
    ["    W E ^id1"],
    ["| W | E |", "| --- | --- |", "| E | W |", "", "^id1"],
    ["E"],
    ["E E"],
    ["W", "E", "W"],
    ["  E"],
    ["W E W"],
    ["E W E"],
    ["# E"],
    ["%%W E%%"],
    ["%%", "W", "# W", "", "E", "%%"],
    ["W %%W%% W %%W%%"],
    ["W %% W"],
    ["$$", "W E", "$$"],
    ["<div>", "W", "</div>"],
    ["[^1]: W", "    E"],
    ["---"],
    ["E ^id1"],
)
PLAIN_BLOCKS = tuple(block for block in BLOCKS if not re.search(r"%%|E|\^id", "\n".join(block)))


@st.composite
def bodies(draw, blocks=BLOCKS):
    """A note's lines, blocks parted by blank lines or not, with one kind of line end."""
    lines = []
    for block in draw(st.lists(st.sampled_from(blocks), max_size=6)):
        lines += [line.replace("E", draw(st.sampled_from(EMBEDS))) if "E" in line else line for line in block]
        lines += [""] * draw(st.integers(0, 2))
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return newline.join(lines) + draw(st.sampled_from(["", newline]))


def numbered(name, body, places):
    """Give each W a number of its own, and remember its place."""

    def next_word(_):
        line = 1 + len(re.findall(r"\r\n|\r|\n", body[: _.start()]))
        word = f"w{len(places)}x"
        places[word] = (name, line)
        return word

    return re.sub(r"\bW\b", next_word, body)


@st.composite
def vaults(draw):
    """The files of a vault, and where each of its words stands."""
    files, places = {}, {}
    for name in NAMES:
        body = draw(bodies())
        newline = "\r\n" if "\r\n" in body else "\r" if "\r" in body else "\n"
        head = draw(
            st.sampled_from(["", f"---{newline}title: T{newline}---{newline}", f"---{newline}x{newline}---{newline}"])
        )
        files[name] = numbered(name, head + body, places)
    return files, places, draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))


def write(folder, files, encoding="utf-8"):
    for name, text in files.items():
        file = Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode(encoding))
    return Vault(folder)


def check_well_formed(rendered):
    """The source map covers the text in order; embeds lie in it, inner ones inside outer ones."""
    starts = [segment.start for segment in rendered.segments]
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert starts[-1] < max(1, len(rendered.text))
    around = []
    for embed in rendered.embeds:
        assert 0 <= embed.start < embed.end <= len(rendered.text)
        while around and around[-1].end <= embed.start:
            around.pop()
        if around:
            assert around[-1].start <= embed.start
            assert embed.end <= around[-1].end
            assert around[-1].is_block or not embed.is_block
        around.append(embed)


def check_traced(rendered, files, places):
    """Each character is on the line it is traced to; each numbered word is traced to its own."""
    for found in re.finditer(r"w\d+x", rendered.text):
        for offset in (found.start(), found.end() - 1):
            assert rendered.locate(offset) == places[found.group()], (rendered.path, rendered.text, found)
    for offset, character in enumerate(rendered.text):
        if not character.isspace() and character != "\\":
            source, line = rendered.locate(offset)
            assert character in re.split(r"\r\n|\r|\n", files[source])[line - 1]


@given(vaults(), st.sampled_from(["keep", "drop"]), st.sampled_from(["keep", "drop"]))
def test_each_word_is_traced_to_its_note_and_line(made, embed_heading, comments):
    files, places, encoding = made
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files, encoding)
        vault = Vault(folder, embed_heading=embed_heading, comments=comments)
        for path in NAMES:
            rendered = vault.render(path)
            check_well_formed(rendered)
            check_traced(rendered, files, places)
            assert {segment.path for segment in rendered.segments} <= rendered.dependencies


@given(
    bodies(PLAIN_BLOCKS),
    bodies(PLAIN_BLOCKS),
    st.sampled_from(["![[a#Head]]", "W\n\n- ![[a#Head]]", "> W ![[a#Head]]"]),
)
def test_a_section_of_a_note_that_stays_as_it_is_is_traced_to_its_lines(before, after, embed):
    places = {}
    files = {
        "a.md": numbered("a.md", f"W\n\n{before}\n\n# Head\nW\n{after}", places),
        "b.md": numbered("b.md", embed, places),
    }
    with tempfile.TemporaryDirectory() as folder:
        rendered = write(folder, files).render("b.md")
        check_well_formed(rendered)
        check_traced(rendered, files, places)
        assert rendered.embeds


@given(vaults())
def test_own_words_outside_comments_are_kept_in_order(made):
    files, _, encoding = made
    with tempfile.TemporaryDirectory() as folder:
        vault = write(folder, files, encoding)
        for path in NAMES:
            rendered = vault.render(path)
            kept = Vault(folder, comments="keep").render(path)
            for each in (rendered, kept):
                inside = [(embed.start, embed.end) for embed in each.embeds]
                own = [
                    found.group()
                    for found in re.finditer(r"w\d+x", each.text)
                    if not any(start <= found.start() < end for start, end in inside)
                ]
                numbers = [int(word[1:-1]) for word in own]
                assert numbers == sorted(set(numbers))
            body = files[path][split_front_matter(files[path])[1] :]
            assert own == re.findall(r"w\d+x", body)


@given(bodies(PLAIN_BLOCKS), st.sampled_from(["", "---\nx: 1\n---\n", "---\r\nx: [\r\n---\r\n"]))
def test_text_without_embeds_comments_and_ids_is_kept_character_for_character(body, head):
    with tempfile.TemporaryDirectory() as folder:
        vault = write(folder, {"n.md": head + body}, "utf-8-sig")
        expected = (head + body)[split_front_matter(head + body)[1] :]
        assert vault.render("n.md").text == expected
        assert vault.note("n.md").text == expected


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=200).filter(
        lambda text: not re.search(r"!\[\[|%%|\^", text)
    )
)
def test_any_text_is_kept_character_for_character(text):
    with tempfile.TemporaryDirectory() as folder:
        vault = write(folder, {"n.md": text}, "utf-8-sig")
        assert vault.render("n.md").text == text[split_front_matter(text)[1] :]


PIECES = [
    "![[",
    "]]",
    "[[",
    "%%",
    "```",
    "---\n",
    "\n\n",
    "a#^x",
    "b",
    "^x\n",
    "> ",
    "- ",
    "\r\n",
    "    ",
    "|a|b|\n|-|-|\n",
]
SOUP = st.lists(st.sampled_from([*"ab#^|>-*+`~$%!\\/. \t\n\r:x1", *PIECES]), max_size=40).map("".join)


@given(SOUP, SOUP, st.integers(0, 3), st.integers(1, 300))
def test_rendering_never_fails(first, second, depth, characters):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, {"a.md": first, "b.md": second, "sub/x.md": first + second})
        vault = Vault(folder, max_embed_depth=depth, max_rendered_chars=characters)
        for path in vault.paths():
            rendered = vault.render(path)
            check_well_formed(rendered)
            for offset in range(len(rendered.text) + 1):
                rendered.locate(offset)
            vault.note(path)
        assert vault.diagnostics == sorted(vault.diagnostics)
        assert set(vault.links.outgoing) == set(vault.paths())


FENCE = "```py\nx = '![[b]] %%no%% ^id'\n\n# no heading\n```"


@given(vaults())
def test_code_is_never_changed(made):
    files, _, _ = made
    with tempfile.TemporaryDirectory() as folder:
        files = {**files, "host.md": f"{FENCE}\n\n![[a]]\n\n`![[b]] ^x` and $[[a]]$\n\n{FENCE}\n", "e.md": "![[host]]"}
        vault = write(folder, files)
        for path in ("host.md", "e.md"):
            text = vault.render(path).text
            assert text.startswith(FENCE + "\n\n")
            assert text.rstrip().endswith("\n\n`![[b]] ^x` and $[[a]]$\n\n" + FENCE)
