"""Text of files means only itself, by the project's own reading of Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsirag.loaders.composing import Composer
from obsirag.loaders.markup import defused, plain_line, table
from obsirag.records import LoadedFile
from obsirag.vault import Vault

MARKS = (
    *("![[secret]]", "[[", "]]", "%%", "---", "===", "# ", "> ", "- ", "```", "~~~", "$$", " ^id", "|", "<!--", "<b>"),
    *("permissions: x", "a", "文", " ", "\\", "\t", "\u200b", "[^1]: ", "1. ", ": "),
)
HOSTILE = st.lists(st.sampled_from(MARKS), min_size=1, max_size=12).map("".join)


class Given:
    """Gives a text for each file."""

    suffixes = (".x",)

    def __init__(self, text):
        self.text = text

    def load(self, path):
        return LoadedFile(self.text)


def read(folder, text):
    (folder / "secret.md").write_text("SECRET")
    (folder / "a.x").write_text("")
    vault = Vault(folder, loaders=[Given(text)])
    return vault.note("a.x"), vault.render("a.x")


@settings(max_examples=150)
@given(HOSTILE)
def test_a_line_neither_links_nor_embeds_nor_hides(tmp_path_factory, text):
    line = plain_line(text)
    composer = Composer(10_000)
    composer.add("before")
    composer.add(line)
    composer.add("after")
    loaded = composer.loaded()
    note, rendered = read(tmp_path_factory.mktemp("v"), loaded.text)
    assert rendered.text == loaded.text
    assert "SECRET" not in rendered.text
    assert note.metadata.keys().isdisjoint({"permissions"})
    assert not any(link.target == "secret" for link in note.links)
    assert not note.block_ids
    assert "\n" not in line


@settings(max_examples=100)
@given(st.lists(HOSTILE, min_size=1, max_size=4))
def test_the_first_block_is_no_front_matter(tmp_path_factory, texts):
    composer = Composer(10_000)
    for text in texts:
        composer.add(plain_line(text))
    composer.add("end")
    note, _ = read(tmp_path_factory.mktemp("v"), composer.loaded().text)
    assert note.first_line == 1
    assert note.permissions == ()


@given(st.lists(st.lists(HOSTILE, min_size=2, max_size=3), min_size=2, max_size=4))
def test_a_table_keeps_its_cells(rows):
    width = max(map(len, rows))
    lines = table([[f"x{cell}x" for cell in row] for row in rows]).split("\n")
    assert len(lines) == len(rows) + 1
    assert {len(line.replace("\\|", "").split("|")) - 2 for line in lines} == {width}


def test_code_is_left_as_it_is():
    code = "```\n[[a]] %% x\n```"
    assert defused(f"[[a]]\n\n{code}\n\n%% x") == f"\\[\\[a]]\n\n{code}\n\n\\%\\% x"


def test_parts_begin_with_their_first_block():
    composer = Composer(100)
    for name, blocks in (("page 1", ["a"]), ("page 2", []), ("page 3", ["", "b", "c"])):
        composer.begin(name)
        for block in blocks:
            composer.add(block)
    loaded = composer.loaded({"title": "Untitled", "author": "  Ann\nLee "})
    assert loaded.text == "a\n\nb\n\nc\n"
    assert [(part.name, loaded.text[part.start]) for part in loaded.parts] == [("page 1", "a"), ("page 3", "b")]
    assert loaded.metadata == {"author": "Ann Lee"}


@pytest.mark.parametrize("text", ["a\x00b", "\ufeffa b", "a\u200b b"])
def test_characters_that_show_nothing_go(text):
    assert plain_line(text) == "a b"
