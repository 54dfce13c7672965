"""PowerPoint files as Markdown; they are written as XML, without the library that reads them."""

from made_files import part_texts, table_shape, text_shape, write_pptx
from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file


def read(path, **limits):
    return read_file(path, Limits(**limits), ocr=False)


def test_slides_have_titles_texts_and_tables_from_the_top(tmp_path):
    slides = [
        text_shape(2, "Rules & limits", kind="title", top=900)
        + text_shape(3, "below", top=500)
        + table_shape(4, [["Item", "Cost"], ["Pen|x", "1"]], top=300)
        + text_shape(5, "one\ntwo", kind="body", top=100),
        text_shape(2, "第二页：住宿", kind="ctrTitle") + text_shape(3, "每晚四百元", top=9),
    ]
    loaded = read(write_pptx(tmp_path / "a.pptx", slides, title="Deck", author="李四"))
    assert part_texts(loaded) == {
        "slide 1": "## Rules & limits\n\n- one\n- two\n\n| Item | Cost |\n| --- | --- |\n| Pen\\|x | 1 |\n\nbelow",
        "slide 2": "## 第二页：住宿\n\n每晚四百元",
    }
    assert loaded.metadata == {"title": "Deck", "author": "李四"}


def test_what_is_hidden_is_left_out_and_numbers_stay(tmp_path):
    slides = [
        text_shape(2, "first"),
        text_shape(2, "secret"),
        text_shape(2, "third") + text_shape(3, "hidden shape", attributes='hidden="1"'),
    ]
    loaded = read(write_pptx(tmp_path / "a.pptx", slides, hidden=[2]))
    assert part_texts(loaded) == {"slide 1": "first", "slide 3": "third"}
    assert loaded.findings == ("slide 2 is hidden and was left out",)


def test_slides_past_the_limit_are_told(tmp_path):
    path = write_pptx(tmp_path / "a.pptx", [text_shape(2, f"slide {number}") for number in range(5)])
    loaded = read(path, pages=2)
    assert len(loaded.parts) == 2
    assert loaded.findings == ("only the first 2 slides are read; raise `pages`",)
