"""PDF files as Markdown: the order of reading, page furniture, headings, tables, Chinese text, broken pages."""

import re

import fpdf
import pytest
from reportlab.lib.units import mm
from reportlab.pdfgen import canvas
from reportlab.platypus import PageBreak, Paragraph, Spacer, Table

from made_files import CHINESE, STYLES, chinese_style, columns_pdf, paragraphs, part_texts, ruled, simple_pdf
from obsirag.errors import VaultError
from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file


def read(path, **limits):
    return read_file(path, Limits(**limits), ocr=False)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_columns_are_read_one_after_the_other(tmp_path, columns):
    story = paragraphs(24 * columns, words=30)
    loaded = read(columns_pdf(tmp_path / "a.pdf", story, columns=columns))
    marks = re.findall(r"[SE]\d{3}", loaded.text)
    expected = [f"{mark}{number:03d}" for number in range(len(story)) for mark in "SE"]
    assert marks == expected
    assert [part.name for part in loaded.parts] == [f"page {number}" for number in range(1, len(loaded.parts) + 1)]


def test_a_heading_across_columns_stands_before_them(tmp_path):
    path = tmp_path / "a.pdf"
    page = canvas.Canvas(str(path))
    page.setFont("Helvetica-Bold", 20)
    page.drawString(60, 780, "A title that goes across both of the columns")
    page.setFont("Helvetica", 10)
    for index in range(12):
        page.drawString(60, 740 - 12 * index, f"left {index:02d} with some more words in the line")
        page.drawString(320, 745 - 12 * index, f"right {index:02d} with some more words in the line")
    page.setFont("Helvetica-Bold", 14)
    page.drawString(60, 560, "A second heading that goes across both of the columns of this page")
    page.setFont("Helvetica", 10)
    for index in range(6):
        page.drawString(60, 530 - 12 * index, f"left {index + 12:02d} with some more words in the line")
        page.drawString(320, 530 - 12 * index, f"right {index + 12:02d} with some more words in the line")
    page.save()
    text = read(path).text
    assert re.findall(r"(?:left|right) \d\d", text) == [
        *(f"left {index:02d}" for index in range(12)),
        *(f"right {index:02d}" for index in range(12)),
        *(f"left {index:02d}" for index in range(12, 18)),
        *(f"right {index:02d}" for index in range(12, 18)),
    ]
    assert text.startswith("# A title that")
    assert "right 11 with some more words in the line\n\n## A second heading" in text


@pytest.mark.parametrize(
    "foot",
    [
        lambda page: f"Page {page} of 9",
        lambda page: f"- {page} -",
        lambda page: f"{page}",
        lambda page: f"ACME Ltd. | Confidential | {page}",
    ],
)
def test_running_heads_and_page_numbers_are_left_out(tmp_path, foot):
    texts = paragraphs(12)
    story = [each for first in range(0, 12, 3) for each in (*texts[first : first + 3], PageBreak())]
    loaded = read(columns_pdf(tmp_path / "a.pdf", story, columns=1, foot=foot))
    assert "ACME" not in loaded.text
    assert "Page" not in loaded.text
    assert len(loaded.parts) == 4
    assert all(re.fullmatch(r"S\d{3}.*E\d{3}\.", each, re.DOTALL) for each in part_texts(loaded).values())


def test_chinese_page_numbers_are_left_out_and_lines_joined_without_blanks(tmp_path):
    sentence = "员工应在出差结束后三十日内提交报销单，逾期不予受理；住宿标准为每晚四百元（特殊情况除外）。" * 4
    style = chinese_style()
    story = [
        Paragraph("差旅报销制度", chinese_style(18)),
        Paragraph(sentence, style),
        PageBreak(),
        Paragraph(sentence, style),
    ]
    loaded = read(
        columns_pdf(
            tmp_path / "a.pdf",
            story,
            columns=2,
            head="公司制度汇编",
            foot=lambda page: f"第 {page} 页 共 2 页",
            style=CHINESE,
        )
    )
    assert part_texts(loaded) == {"page 1": f"# 差旅报销制度\n\n{sentence}", "page 2": sentence}


def test_a_single_page_loses_its_number_and_nothing_else(tmp_path):
    loaded = read(columns_pdf(tmp_path / "a.pdf", paragraphs(2), columns=1, foot=lambda page: f"Page {page} of 1"))
    assert "ACME Handbook - internal" in loaded.text
    assert "Page 1" not in loaded.text


def test_larger_letters_are_headings_by_their_sizes(tmp_path):
    story = [
        Paragraph("Handbook", STYLES["Title"]),
        *(
            each
            for number in (1, 2)
            for each in (
                Paragraph(f"Chapter {number}", STYLES["Heading2"]),
                *paragraphs(2),
                Paragraph(f"Detail {number}", STYLES["Heading3"]),
                *paragraphs(1),
            )
        ),
    ]
    text = read(simple_pdf(tmp_path / "a.pdf", story)).text
    assert re.findall(r"^#+ .*", text, re.MULTILINE) == [
        "# Handbook",
        "## Chapter 1",
        "### Detail 1",
        "## Chapter 2",
        "### Detail 2",
    ]


def test_tables_stand_where_they_stood(tmp_path):
    rows = [["Item", "Limit", "Owner"], ["Hotel", "120 EUR", "Finance"], ["Meals | snacks", "45 EUR", "HR"]]
    open_rows = [["Year", "Income"], ["2024", "1,200"], ["2025", "1,350"], ["2026", "1,500"]]
    story = [
        Paragraph("Before the tables.", STYLES["BodyText"]),
        ruled(rows),
        Paragraph("Between the tables.", STYLES["BodyText"]),
        Spacer(1, 10 * mm),
        Table(open_rows),
        Paragraph("After the tables.", STYLES["BodyText"]),
    ]
    assert read(simple_pdf(tmp_path / "a.pdf", story)).text == (
        "Before the tables.\n\n"
        "| Item | Limit | Owner |\n| --- | --- | --- |\n| Hotel | 120 EUR | Finance |\n"
        "| Meals \\| snacks | 45 EUR | HR |\n\n"
        "Between the tables.\n\n"
        "| Year | Income |\n| --- | --- |\n| 2024 | 1,200 |\n| 2025 | 1,350 |\n| 2026 | 1,500 |\n\n"
        "After the tables.\n"
    )


def test_lists_and_hyphens(tmp_path):
    path = tmp_path / "a.pdf"
    page = canvas.Canvas(str(path))
    lines = [
        "The depart-",
        "ment pays for:",
        "\u2022 trains,",
        "\u2022 hotels, if they are",
        "near.",
        "1. First",
        "2. Second",
    ]
    for index, line in enumerate(lines):
        page.drawString(60, 780 - 14 * index, line)
    page.save()
    assert (
        read(path).text
        == "The department pays for:\n\n- trains,\n\n- hotels, if they are near.\n\n1. First\n\n2. Second\n"
    )


def test_letters_written_twice_are_read_once(tmp_path):
    path = tmp_path / "a.pdf"
    page = canvas.Canvas(str(path))
    for shift in (0, 0.3):
        page.drawString(60 + shift, 780, "Balloon fill")
    page.save()
    assert read(path).text == "Balloon fill\n"


def test_another_writer_is_read_too(tmp_path):
    document = fpdf.FPDF()
    document.set_title("Rules")
    document.set_author("Ann Lee")
    document.add_font("cjk", fname="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    document.add_page()
    document.set_font("cjk", size=20)
    document.cell(text="Überschrift", new_x="LMARGIN", new_y="NEXT")
    document.set_font("cjk", size=10)
    document.multi_cell(0, text="Grüße, Straße, naïve café. " * 10)
    document.output(str(tmp_path / "a.pdf"))
    loaded = read(tmp_path / "a.pdf")
    assert loaded.metadata == {"title": "Rules", "author": "Ann Lee"}
    assert loaded.text == "# Überschrift\n\n" + ("Grüße, Straße, naïve café. " * 10).strip() + "\n"


def test_a_title_that_nobody_gave_is_none(tmp_path):
    assert read(simple_pdf(tmp_path / "a.pdf", paragraphs(1))).metadata == {}
    assert read(simple_pdf(tmp_path / "b.pdf", paragraphs(1), title="Microsoft Word - x.doc")).metadata == {}


def test_text_means_only_itself(tmp_path):
    path = tmp_path / "a.pdf"
    page = canvas.Canvas(str(path))
    for index, line in enumerate(["---", "permissions: everyone", "---", "# no heading", "![[secret]] %% no comment"]):
        page.drawString(60, 780 - 40 * index, line)
    page.save()
    text = read(path).text
    assert text == ("\\---\n\npermissions: everyone\n\n\\---\n\n\\# no heading\n\n!\\[\\[secret]] \\%\\% no comment\n")


def test_pages_past_the_limits_are_told(tmp_path):
    path = simple_pdf(tmp_path / "a.pdf", [each for _ in range(4) for each in (*paragraphs(2), PageBreak())])
    few = read(path, pages=2)
    assert [part.name for part in few.parts] == ["page 1", "page 2"]
    assert few.findings == ("only the first 2 pages are read; raise `pages` or `characters`",)
    short = read(path, characters=500)
    assert len(short.text) <= 501
    assert any("raise" in finding for finding in short.findings)


def test_no_time_is_told(tmp_path):
    path = simple_pdf(tmp_path / "a.pdf", paragraphs(2))
    with pytest.raises(VaultError, match="only the first 0 pages could be read in time; raise `seconds`"):
        read(path, seconds=1e-9)


def test_a_broken_page_costs_itself(tmp_path, monkeypatch):
    import obsirag.loaders.pdf as reader

    path = simple_pdf(tmp_path / "a.pdf", [*paragraphs(1), PageBreak(), *paragraphs(1)])
    whole = reader.lines_of

    def lines_of(page):
        if page.page_number == 1:
            raise ValueError("secret words")
        return whole(page)

    monkeypatch.setattr(reader, "lines_of", lines_of)
    loaded = read(path)
    assert [part.name for part in loaded.parts] == ["page 2"]
    assert loaded.findings[0].startswith("page 1 is broken: ValueError")
    assert "secret" not in loaded.findings[0]


def test_radicals_and_ligatures_are_read_as_what_they_look_like():
    from obsirag.loaders.pdf_lines import _stretches

    word = {"text": "\u2f64\u2f3e\ufb01n", "x0": 0.0, "top": 0.0, "x1": 40.0, "bottom": 10.0, "size": 10.0}
    (line,) = _stretches([word])
    assert line.text == "用戶fin"
