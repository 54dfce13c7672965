import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.cleaning import CleaningStep, clean, cleaning_steps
from obsirag.config import CleaningOptions
from obsirag.errors import ConfigError
from obsirag.records import Edit, EmbedSpan, RenderedNote, Segment
from obsirag.vault import Vault

NONE = {name: False for name, field in CleaningOptions.model_fields.items() if field.annotation is bool}
ALL = dict.fromkeys(NONE, True)


def cleaned(text, **options):
    note = RenderedNote("n.md", text, segments=(Segment(0, "n.md", 1),))
    return clean(note, CleaningOptions(**{**NONE, **options})).text


def test_the_order_is_that_of_the_options():
    options = CleaningOptions(**ALL, markers=("x",))
    assert [step.name for step in cleaning_steps(options)] == list(CleaningOptions.model_fields)
    assert cleaning_steps(CleaningOptions(**NONE)) == []


DIRTY = "a\r\nb\x00\u200b  \r\n\r\n\r\n\r\n\r\nＡ１ 中 文 DROP\r\n"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, DIRTY),
        ({"line_ends": True}, DIRTY.replace("\r\n", "\n")),
        ({"control_characters": True}, DIRTY.replace("\x00", "")),
        ({"zero_width": True}, DIRTY.replace("\u200b", "")),
        ({"full_width": True}, DIRTY.replace("Ａ１", "A1")),
        ({"ocr_spaces": True}, DIRTY.replace("中 文", "中文")),
        ({"markers": ("DR.P",)}, DIRTY.replace("Ａ１ 中 文 DROP\r\n", "")),
        ({"trailing_spaces": True}, DIRTY.replace("  \r\n", "\r\n")),
        ({"blank_lines": True}, DIRTY.replace("\r\n" * 5, "\r\n" * 3)),
        ({**ALL, "markers": ("DROP",)}, "a\nb\n\n\n"),
    ],
)
def test_each_step_does_its_own_and_nothing_else(options, text):
    assert cleaned(DIRTY, **options) == text


CODE = "```\r\nＡ\u200b  \r\n\r\n\r\n\r\n\r\nDROP\r\n```"


@pytest.mark.parametrize(
    "code", [CODE, "`Ａ\u200b 中 文`", "    Ａ\u200b DROP \x00", "$Ａ\u200b$", "> ```\n> Ａ\u200b  \n> DROP\n> ```"]
)
def test_code_and_maths_are_never_touched(code):
    note = RenderedNote("n.md", f"Ａ\r\n\r\n{code}\r\n\r\nＢ", segments=(Segment(0, "n.md", 1),))
    assert clean(note, CleaningOptions(**ALL, markers=("DROP",))).text == f"A\n\n{code}\n\nB"


def test_embeds_move_with_their_text_and_empty_ones_go():
    note = RenderedNote(
        "n.md",
        "a\u200b\n\nDROP\n\nb",
        segments=(Segment(0, "n.md", 1), Segment(4, "e.md", 9), Segment(8, "n.md", 3)),
        embeds=(EmbedSpan(4, 8, "e.md", 3), EmbedSpan(10, 11, "f.md", 5)),
    )
    result = clean(note, CleaningOptions(markers=("DROP",)))
    assert result.text == "a\n\n\nb"
    assert result.embeds == (EmbedSpan(4, 5, "f.md", 5),)
    assert result.locate(4) == ("n.md", 5)


def test_an_open_mark_in_an_embed_means_nothing_outside():
    code = "```\nＡ %%x%%\n```"
    text = f"5%% Ａ\n\n{code}"
    note = RenderedNote("n.md", text, segments=(Segment(0, "n.md", 1),), embeds=(EmbedSpan(0, 5, "e.md", 1),))
    assert clean(note, CleaningOptions(full_width=True)).text == f"5%% A\n\n{code}"


def test_a_note_that_is_clean_comes_back_as_it_is():
    note = RenderedNote("n.md", "# A\n\nb  \nc\n", segments=(Segment(0, "n.md", 1),))
    assert clean(note) is note


def test_a_step_of_ones_own_runs_last():
    step = CleaningStep(
        "shout", lambda text: [Edit(m.start(), m.end(), m.group().upper()) for m in re.finditer("a", text)]
    )
    note = RenderedNote("n.md", "a `a` \x00a", segments=(Segment(0, "n.md", 1),))
    assert clean(note, more_steps=[step]).text == "A `a` A"


def test_a_wrong_marker_is_told():
    with pytest.raises(ConfigError, match=r"markers.*\(x"):
        clean(RenderedNote("n.md", ""), CleaningOptions(markers=("(x",)))


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
    "DROP w",
    "![[b]]",
    "> ![[b]]",
    "w ![[b#H]] w",
]


@given(
    st.lists(st.sampled_from(LINES), max_size=15),
    st.lists(st.sampled_from([line for line in LINES if "[[" not in line] + ["# H"]), max_size=15),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.fixed_dictionaries(dict.fromkeys(ALL, st.booleans())),
    st.sampled_from([(), ("DROP",)]),
)
def test_after_cleaning_each_word_still_knows_its_place(host, embedded, newline, options, markers):
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
    result = clean(rendered, CleaningOptions(**options, markers=markers))
    for found in re.finditer(r"x\d+y", result.text):
        assert result.locate(found.start()) == places[found.group()]
    words = re.findall(r"x\d+y", result.text)
    before = iter(re.findall(r"x\d+y", rendered.text))
    assert all(word in before for word in words)
    if not markers:
        assert words == re.findall(r"x\d+y", rendered.text)
    assert all(0 <= each.start < each.end <= len(result.text) for each in result.embeds)


@given(st.text(), st.fixed_dictionaries(dict.fromkeys(ALL, st.booleans())))
def test_any_text_is_cleaned_and_cleaning_again_changes_nothing(text, options):
    once = cleaned(text, **options)
    assert cleaned(once, **options) == once
