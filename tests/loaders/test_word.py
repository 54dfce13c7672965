"""Word files as Markdown."""

import docx
import pytest
from docx.shared import Inches
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from made_files import write_docx
from obsirag.errors import VaultError
from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file


def read(path, **limits):
    return read_file(path, Limits(**limits), ocr=False)


def saved(document, folder, name="a.docx"):
    document.save(str(folder / name))
    return folder / name


def test_headings_lists_tables_and_properties(tmp_path):
    document = docx.Document()
    document.core_properties.title = "Travel rules"
    document.core_properties.author = "Ann Lee"
    document.sections[0].header.paragraphs[0].text = "RUNNING HEAD"
    document.add_heading("Travel rules", 0)
    document.add_heading("Trains", 1)
    document.add_paragraph("Second class. ").add_run("Always").bold = True
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    document.add_heading("住宿标准", 2)
    table = document.add_table(3, 2)
    for row, texts in enumerate([("城市", "标准"), ("上海|浦东", "四百元"), ("其他", "三百元")]):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    loaded = read(saved(document, tmp_path))
    assert loaded.text == (
        "# Travel rules\n\n# Trains\n\nSecond class. **Always**\n\n- one\n- two\n\n1. first\n\n## 住宿标准\n\n"
        "| 城市 | 标准 |\n| --- | --- |\n| 上海\\|浦东 | 四百元 |\n| 其他 | 三百元 |\n"
    )
    assert loaded.metadata == {"title": "Travel rules", "author": "Ann Lee"}
    assert loaded.parts == loaded.findings == ()


def test_hidden_text_is_no_text_and_pictures_are_told(tmp_path):
    Image.new("RGB", (20, 20)).save(tmp_path / "a.png")
    document = docx.Document()
    paragraph = document.add_paragraph("seen")
    paragraph.add_run(" HIDDEN").font.hidden = True
    paragraph.add_run(" too").font.hidden = False
    document.add_picture(str(tmp_path / "a.png"), width=Inches(1))
    loaded = read(saved(document, tmp_path))
    assert loaded.text == "seen too\n"
    assert loaded.findings == ("1 pictures: what they show is not read",)


def test_text_means_only_itself(tmp_path):
    document = docx.Document()
    for text in ("---", "permissions: all", "---", "# no heading", "![[secret]] and %%", "- no list"):
        document.add_paragraph(text)
    text = read(saved(document, tmp_path)).text
    assert not text.startswith("---")
    assert "![[" not in text
    assert "\n# " not in text
    assert "\\[\\[secret]]" in text


CELLS = st.text(st.sampled_from("ab 中文|*_#1.`\\<&"), max_size=8).map(lambda text: " ".join(text.split()))


@settings(max_examples=25)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=2, max_size=5)
    )
)
def test_a_table_has_as_many_rows_and_cells_as_before(tmp_path_factory, rows):
    rows = [[f"x{cell}x" for cell in row] for row in rows]
    paragraph = "<w:p><w:r><w:t xml:space='preserve'>{}</w:t></w:r></w:p>"
    body = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph.format(escaped(cell))}</w:tc>" for cell in row) + "</w:tr>"
        for row in rows
    )
    path = write_docx(tmp_path_factory.mktemp("table") / "a.docx", f"<w:tbl>{body}</w:tbl>")
    lines = read(path).text.strip().split("\n")
    assert len(lines) == len(rows) + 1
    for line, row in zip([lines[0], *lines[2:]], rows, strict=True):
        assert len(line.replace("\\|", "\0").strip("|").split("|")) == len(row)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


@pytest.mark.parametrize("body", ["", "<w:p/>"])
def test_a_file_without_text_is_told(tmp_path, body):
    with pytest.raises(VaultError, match="no text that could be read"):
        read(write_docx(tmp_path / "a.docx", body))
