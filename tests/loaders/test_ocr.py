"""Text in images, read by a real engine: Chinese, English, headings, tables, pages of a PDF file."""

from pathlib import Path

import pytest

pytest.importorskip("rapidocr")
from PIL import Image, ImageDraw, ImageFont

from made_files import paragraphs, part_texts, simple_pdf
from obsirag.errors import VaultError
from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file

FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
pytestmark = pytest.mark.skipif(not Path(FONT).exists(), reason="no Chinese font to draw with")

PAGE = [
    ("差旅报销制度", 56),
    ("员工应在出差结束后三十日内提交报销单。", 28),
    ("Expenses must be submitted within 30 days.", 28),
]


def drawn(lines, size=(1000, 420)):
    image = Image.new("RGB", size, "white")
    draw, top = ImageDraw.Draw(image), 30
    for text, height in lines:
        draw.text((40, top), text, font=ImageFont.truetype(FONT, height, index=2), fill="black")
        top += round(2.2 * height)
    return image


def read(path, *, ocr=True):
    return read_file(path, Limits(seconds=300), ocr=ocr)


@pytest.mark.parametrize("kind", ["png", "jpg", "tiff"])
def test_an_image_has_headings_and_paragraphs(tmp_path, kind):
    drawn(PAGE).save(tmp_path / f"a.{kind}")
    loaded = read(tmp_path / f"a.{kind}")
    assert loaded.text == f"# {PAGE[0][0]}\n\n{PAGE[1][0]}\n\n{PAGE[2][0]}\n"
    assert loaded.parts == ()


def test_rows_of_cells_are_a_table(tmp_path):
    image = Image.new("RGB", (1000, 400), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, 28, index=2)
    rows = [["Item", "Limit", "Owner"], ["Hotel", "120", "Finance"], ["餐费", "45", "人事部"], ["Taxi", "30", "Office"]]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            draw.text((50 + 300 * column, 40 + 60 * row), cell, font=font, fill="black")
    image.save(tmp_path / "a.png")
    lines = [f"| {' | '.join(row)} |" for row in rows]
    assert read(tmp_path / "a.png").text == "\n".join([lines[0], "| --- | --- | --- |", *lines[1:], ""])


def test_images_in_one_file_are_pages(tmp_path):
    first, second = drawn(PAGE[:2]), drawn(PAGE[2:])
    first.save(tmp_path / "a.tiff", save_all=True, append_images=[second], compression="tiff_deflate")
    loaded = read(tmp_path / "a.tiff")
    assert [part.name for part in loaded.parts] == ["page 1", "page 2"]
    assert part_texts(loaded)["page 2"].endswith(PAGE[2][0])


def mixed_pdf(folder):
    """Write a PDF file whose second page is an image alone."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen import canvas

    page = canvas.Canvas(str(folder / "a.pdf"), pagesize=(600, 800))
    page.drawString(50, 700, "The first page is text.")
    page.showPage()
    page.drawImage(ImageReader(drawn(PAGE)), 0, 400, 600, 252)
    page.showPage()
    page.save()
    return folder / "a.pdf"


def test_pages_of_a_pdf_file_that_are_images_are_read(tmp_path):
    loaded = read(mixed_pdf(tmp_path))
    assert part_texts(loaded) == {
        "page 1": "The first page is text.",
        "page 2": f"# {PAGE[0][0]}\n\n{PAGE[1][0]}\n\n{PAGE[2][0]}",
    }
    assert loaded.findings == ()


def test_without_ocr_it_is_told_what_would_need_it(tmp_path):
    loaded = read(mixed_pdf(tmp_path), ocr=False)
    assert [part.name for part in loaded.parts] == ["page 1"]
    assert loaded.findings == ("pages without text, only with images: 2; `ocr: true` would read them",)
    drawn(PAGE).save(tmp_path / "b.pdf")
    with pytest.raises(VaultError, match="no text that could be read: pages without text, only with images: 1; `ocr"):
        read(tmp_path / "b.pdf", ocr=False)


def test_a_text_is_not_read_by_ocr(tmp_path, monkeypatch):
    import obsirag.loaders.ocr as engine

    monkeypatch.setattr(engine, "lines_on_page", lambda *_: pytest.fail("a page with text is read as text"))
    assert "S000" in read(simple_pdf(tmp_path / "a.pdf", paragraphs(1))).text


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n", b"\x89PNG\r\n\x1a\n" + bytes(200), b"GIF89a", b"<html>"])
def test_what_is_no_image_is_told(tmp_path, data):
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(VaultError, match="the image is broken, too large, or of an unknown sort"):
        read(tmp_path / "a.png")


def test_an_image_of_too_many_dots_is_not_unpacked(tmp_path):
    Image.new("1", (20_000, 20_000)).save(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size < 100_000
    with pytest.raises(VaultError, match=r"too large|more than"):
        read(tmp_path / "a.png")


def test_an_empty_image_has_no_text(tmp_path):
    Image.new("RGB", (200, 200), "white").save(tmp_path / "a.png")
    with pytest.raises(VaultError, match="no text that could be read"):
        read(tmp_path / "a.png")
