"""What holds for every step and every text."""

import re
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from obsirag.cleaning import clean
from obsirag.config import CleaningOptions
from obsirag.markdown import literal_spans
from obsirag.records import RenderedNote
from obsirag.vault import Vault

NONE = {name: False for name, field in CleaningOptions.model_fields.items() if field.annotation is bool}
ALL = dict.fromkeys(NONE, True)
FURTHER = {
    "headers_footers": st.sampled_from(
        [False, True, {"min_pages": 2, "border_lines": 1}, {"first_lines": 1, "last_lines": 1}, {"patterns": ["^HEAD"]}]
    ),
    "watermarks": st.sampled_from([False, True, {"min_pages": 2, "min_share": 0.5}, {"patterns": ["HEAD"]}]),
    "page_breaks": st.sampled_from([(), ("^<!-- page",)]),
    "markers": st.sampled_from([(), ("DROP",), ({"text": "DROP"},)]),
}
LINE_STEPS = ["headers_footers", "watermarks", "page_breaks", "markers"]
OPTIONS = st.fixed_dictionaries({**dict.fromkeys(ALL, st.booleans()), **FURTHER})


LINES = [
    "w",
    "w \x00w\u200b",
    "w  ",
    "\t",
    "",
    "",
    "",
    "# w",
    "> w ",
    "- w\u2060",
    "```",
    "w `w\u200b`",
    "    w\u200b ",
    "$$",
    "| w | w |",
    "| - | - |",
    "===",
    "---",
    "DROP w",
    "# DROP w",
    "`w` DROP",
    "HEAD 1",
    "HEAD 2\f",
    "\fHEAD 3",
    "\f",
    "w\fw",
    "<!-- page -->",
    "Ｗ１ 中 文\u3000字",
    "\u0645\u200c\u06cc Ａ\u200dＢ",
    "![[b]]",
    "> ![[b]]",
    "w ![[b#H]] w",
]
OWN_LINES = [line for line in LINES if "[[" not in line]
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
TEXTS = st.text() | st.builds(str.join, ENDS, st.lists(st.sampled_from(OWN_LINES), max_size=25))


def cleaned(text, options):
    return clean(RenderedNote("n.md", text), CleaningOptions(**options)).text


def shown(text):
    """Return the letters and digits, which only a removed line takes away."""
    return [each for each in unicodedata.normalize("NFKC", text) if each.isalnum()]


@given(
    st.lists(st.sampled_from(LINES), max_size=20),
    st.lists(st.sampled_from([*OWN_LINES, "# H"]), max_size=20),
    ENDS,
    OPTIONS,
)
def test_after_cleaning_each_word_still_knows_its_place(host, embedded, newline, options):
    places = {}

    def text_of(name, lines):
        numbered = []
        for number, line in enumerate(lines, 1):
            for _ in range(line.count("w")):
                word = f"x{len(places)}y"
                places[word] = (name, number)
                line = line.replace("w", word, 1)
            numbered.append(line)
        return newline.join(numbered)

    with tempfile.TemporaryDirectory() as folder:
        for name, lines in (("a.md", host), ("b.md", embedded)):
            Path(folder, name).write_bytes(text_of(name, lines).encode())
        rendered = Vault(folder).render("a.md")
    result = clean(rendered, CleaningOptions(**options))
    for found in re.finditer(r"x\d+y", result.text):
        assert result.locate(found.start()) == places[found.group()]
    words = re.findall(r"x\d+y", result.text)
    before = iter(re.findall(r"x\d+y", rendered.text))
    assert all(word in before for word in words)
    if not any(options[step] for step in LINE_STEPS):
        assert words == re.findall(r"x\d+y", rendered.text)
    assert all(0 <= each.start < each.end <= len(result.text) for each in result.embeds)


@given(TEXTS, OPTIONS)
def test_letters_and_digits_stay_but_for_whole_lines(text, options):
    left = iter(shown(text))
    result = shown(cleaned(text, options))
    assert all(each in left for each in result)
    if not any(options[step] for step in LINE_STEPS):
        assert result == shown(text)


@given(TEXTS, OPTIONS)
def test_code_and_maths_keep_every_character(text, options):
    result = cleaned(text, options)
    position = 0
    for start, end in literal_spans(text):
        line = re.split(r"[\r\n\f]", text[:start])[-1] + text[start:end] + re.split(r"[\r\n\f]", text[end:])[0]
        if line.strip() == text[start:end].strip() or re.search(r"[\r\n]", text[start:end]):
            # Code within a line may go with it; this is more, or all of it.
            found = result.find(text[start:end], position)
            assert found >= 0
            position = found + end - start


@pytest.mark.parametrize("step", ALL)
@given(TEXTS)
def test_a_step_by_itself_has_nothing_to_do_a_second_time(step, text):
    options = {**NONE, step: True}
    once = cleaned(text, options)
    assume(is_code_the_same(text, once))
    assert cleaned(once, options) == once


@given(TEXTS, OPTIONS)
def test_cleaning_again_changes_nothing(text, options):
    # Page breaks that stay would give pages to clean a second time.
    options = {**options, "control_characters": True, "page_breaks": ("^<!-- page",)}
    if any(options[step] for step in LINE_STEPS):
        # A line that goes may make indented code of what was a paragraph, or the other way round.
        text = re.sub(r"(?<![^\r\n\f])[ \t]+", "", text)
    once = cleaned(text, options)
    assume(is_code_the_same(text, once))
    assert cleaned(once, options) == once


def is_code_the_same(before, after):
    """Say whether no line that went made something else of code around it, or code of something else."""
    codes = [before[start:end] for start, end in literal_spans(before)]
    left, position, prose = iter(codes), 0, ""
    for start, end in literal_spans(after):
        if after[start:end] not in left:
            return False
        prose, position = prose + after[position:start], end
    prose += after[position:]
    return not any(code in prose for code in codes)


def test_notes_of_real_vaults_keep_their_code_and_are_clean_at_once(test_data):
    options = CleaningOptions(**ALL, headers_footers=True, watermarks=True, markers=[{"text": "<!-- strip -->"}])
    changed = 0
    for folder in sorted(path for path in (test_data / "vaults").iterdir() if path.is_dir()):
        vault = Vault(folder)
        for path in vault.paths():
            rendered = vault.render(path)
            once = clean(rendered, options)
            changed += once is not rendered
            assert is_code_the_same(rendered.text, once.text), path
            assert clean(once, options).text == once.text, path
    assert changed
