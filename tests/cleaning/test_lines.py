import pytest

from obsirag.cleaning.lines import blank_lines, trailing_spaces


def applied(step, text):
    for edit in reversed(list(step(text))):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a \nb\t\n", "a\nb\n"),
        ("a  \nb", "a  \nb"),
        ("a  \n\nb", "a\n\nb"),
        ("a  ", "a"),
        ("   \nb", "\nb"),
        ("> a  \n> b  \n>   \n", "> a  \n> b\n>\n"),
        ("a\\ \nb", "a\\ \nb"),
        ("a \r\nb  \r\nc", "a\r\nb  \r\nc"),
    ],
)
def test_blanks_at_line_ends_go_but_hard_breaks_stay(text, result):
    assert applied(trailing_spaces, text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a\n\n\nb", "a\n\n\nb"),
        ("a\n\n\n\n\n\nb\n\n\n\nc", "a\n\n\nb\n\n\nc"),
        ("a\r\n\r\n\r\n\r\nb", "a\r\n\r\n\r\nb"),
        ("a\n \n\t\n\n  b", "a\n \n\t\n  b"),
    ],
)
def test_at_most_two_blank_lines_stay(text, result):
    assert applied(blank_lines, text) == result
