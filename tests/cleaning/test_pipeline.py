import re

import pytest

from obsirag.cleaning import CleaningStep, clean, cleaning_steps
from obsirag.config import CleaningOptions
from obsirag.errors import ConfigError
from obsirag.records import Edit, EmbedSpan, RenderedNote, Segment

NONE = {name: False for name, field in CleaningOptions.model_fields.items() if field.annotation is bool}
ALL = dict.fromkeys(NONE, True)


def cleaned(text, **options):
    note = RenderedNote("n.md", text, segments=(Segment(0, "n.md", 1),))
    return clean(note, CleaningOptions(**{**NONE, **options})).text


def test_the_order_is_that_of_the_options():
    options = CleaningOptions(
        **ALL, markers=("x",), page_breaks=("x",), headers_footers={"repeated": False}, watermarks={"min_pages": 2}
    )
    steps = cleaning_steps(options, [CleaningStep("steps", lambda text: ())])
    assert [step.name for step in steps] == list(CleaningOptions.model_fields)
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


def test_a_step_of_ones_own_sees_clean_text_and_what_it_leaves_is_tidied_up():
    step = CleaningStep("shout", lambda text: [Edit(*m.span(), m.group().upper()) for m in re.finditer("a|b$", text)])
    seen = CleaningStep("drop", lambda text: [Edit(*m.span()) for m in re.finditer("x", text)])
    note = RenderedNote("n.md", "a `a` \x00a x\n\n\nx\n\n\nx\n\nb\u200b")
    assert clean(note, more_steps=[step, seen]).text == "A `a` A\n\n\nB"


def test_a_wrong_marker_is_told():
    with pytest.raises(ConfigError, match=r"markers.*\(x"):
        clean(RenderedNote("n.md", ""), CleaningOptions(markers=("(x",)))
