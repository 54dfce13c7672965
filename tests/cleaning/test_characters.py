import pytest

from obsirag.cleaning.characters import control_characters, full_width, line_ends, ocr_spaces, zero_width


def applied(step, text):
    for edit in reversed(list(step(text))):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


def test_line_ends():
    assert applied(line_ends, "a\r\nb\rc\n\r\r\n") == "a\nb\nc\n\n\n"


def test_control_characters_go_and_those_that_part_words_become_a_blank():
    assert applied(control_characters, "a\x00b\x1bc\x0cd\x85e\tf\ng\rh\x7f") == "abc d e\tf\ng\rh"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("vis\u200bible\u2060 \ufefftext\u00ad", "visible text"),
        ("a\u200db \u200d", "ab "),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e007f"),
        ("x\U000e0069\U000e0067\U000e006e", "x"),
        ("\ufe0f\u2764\ufe0f", "\ufe0f\u2764\ufe0f"),
    ],
)
def test_what_nobody_sees_goes_unless_it_joins(text, result):
    assert applied(zero_width, text) == result


def test_full_width_letters_and_digits_but_not_punctuation():
    assert applied(full_width, "ＡｚＺ０９，。（！）｜中") == "AzZ09，。（！）｜中"


def test_blanks_between_cjk_characters_only():
    assert applied(ocr_spaces, "中 文　字 ， a 中 b\n中\n文") == "中文字， a 中 b\n中\n文"
