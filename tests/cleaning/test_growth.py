"""The work grows as the text does, whatever the text."""

import pytest

from obsirag.cleaning import clean
from obsirag.config import CleaningOptions
from obsirag.records import EmbedSpan, RenderedNote
from step_counts import steps_of

OPTIONS = CleaningOptions(
    headers_footers={"first_lines": 1, "last_lines": 1, "patterns": ["^HEAD"]},
    watermarks={"min_share": 0.1, "patterns": ["WM"]},
    page_breaks=["^<!-- page"],
    full_width=True,
    ocr_spaces=True,
    markers=[{"text": "DROP"}, "y$"],
)


def growth(make_note, small=60):
    """Return how much more work four times the note is; 4 where it grows as the note does."""
    few, many = (make_note(size) for size in (small, 4 * small))
    clean(few, OPTIONS)  # once before counting, so that nothing is prepared for the first time
    return steps_of(lambda: clean(many, OPTIONS)) / steps_of(lambda: clean(few, OPTIONS))


@pytest.mark.parametrize(
    "text",
    [
        "\f",
        "a\f",
        "HEAD\na 1\n\f",
        "<!-- page\n",
        "DROP\n---\n",
        "DROP\r---\r",
        "para\n# DROP\n---\n",
        "`a` DROP ",
        "`DROP` ",
        "`a\nDROP b` \n\n",
        "\f`a`\n",
        "```\n\f",
        "a\u200b",
        "same\n",
        "1\f",
        "ＡＢ 中 文\n",
        "a  \n\n\n\n\n",
    ],
)
def test_of_a_text_that_repeats_itself(text):
    assert growth(lambda size: RenderedNote("n.md", text * size)) < 4.6


@pytest.mark.parametrize("is_nested", [False, True])
def test_of_embeds_side_by_side_and_inside_one_another(is_nested):
    def make_note(size):
        if is_nested:
            text = "a\n" * size + "DROP\f\n" + "b\n" * size
            spans = [(2 * number, len(text) - 2 * number) for number in range(size)]
        else:
            text = "HEAD\nb\f\n" * size
            spans = [(8 * number, 8 * number + 8) for number in range(size)]
        return RenderedNote("n.md", text, embeds=[EmbedSpan(*span, "e.md", 1) for span in spans])

    assert growth(make_note) < 4.6
