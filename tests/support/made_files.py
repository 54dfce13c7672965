"""Files as other programs write them, and hostile ones, written by other libraries than those that read them."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, SimpleDocTemplate, Table, TableStyle

STYLES = getSampleStyleSheet()
CHINESE = "STSong-Light"
WIDTH, HEIGHT = A4
GAP = 22


def chinese_style(size: float = 11) -> ParagraphStyle:
    """Return a style for Chinese text, by a font that every viewer has."""
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    return ParagraphStyle("chinese", fontName=CHINESE, fontSize=size, leading=size * 1.5, wordWrap="CJK")


def ruled(rows: Sequence[Sequence[str]]) -> Table:
    """Return a table with rules around its cells."""
    return Table(rows, style=TableStyle([("GRID", (0, 0), (-1, -1), 0.5, "black")]))


def simple_pdf(path: Path, story: list, **about: str) -> Path:
    """Write a PDF file of one column."""
    SimpleDocTemplate(str(path), pagesize=A4, **about).build(list(story))
    return path


def columns_pdf(
    path: Path,
    story: list,
    *,
    columns: int = 2,
    head: str = "ACME Handbook - internal",
    foot: Callable[[int], str] = lambda page: f"Page {page}",
    style: str = "Helvetica",
) -> Path:
    """Write a PDF file of several columns, with a running head and page numbers."""
    width = (WIDTH - 100 - GAP * (columns - 1)) / columns
    frames = [
        Frame(50 + index * (width + GAP), 60, width, HEIGHT - 120, leftPadding=0, rightPadding=0)
        for index in range(columns)
    ]

    def furnish(canvas, document) -> None:
        canvas.setFont(style, 8)
        canvas.drawString(60, HEIGHT - 30, head)
        canvas.drawCentredString(WIDTH / 2, 25, foot(document.page))

    document = BaseDocTemplate(str(path), pagesize=A4)
    document.addPageTemplates([PageTemplate(id="page", frames=frames, onPage=furnish)])
    document.build(list(story))
    return path


def paragraphs(count: int, *, words: int = 50) -> list[Paragraph]:
    """Return paragraphs that begin and end with marks by which their order shows."""
    some = ["the", "team", "reviews", "each", "request", "within", "days", "and", "records", "its", "decision"]
    chance = Random(count)
    return [
        Paragraph(f"S{number:03d} {' '.join(chance.choices(some, k=words))} E{number:03d}.", STYLES["BodyText"])
        for number in range(count)
    ]


@contextmanager
def package(path: Path) -> Iterator[zipfile.ZipFile]:
    """Write a zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        yield packed


_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_MAIN = "application/vnd.openxmlformats-officedocument"
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:creator>{author}</dc:creator>'
    "</cp:coreProperties>"
)


def _relations(*targets: tuple[str, str]) -> str:
    each = "".join(
        f'<Relationship Id="r{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_RELATIONS}">{each}</Relationships>'


def _root_relations(main: str) -> str:
    core = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
    return _relations((f"{_OFFICE}/officeDocument", main), (core, "docProps/core.xml"))


def _content_types(overrides: dict[str, str]) -> str:
    each = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in overrides.items())
    kind = "application/vnd.openxmlformats-package.core-properties+xml"
    core = f'<Override PartName="/docProps/core.xml" ContentType="{kind}"/>'
    return (
        f'<Types xmlns="{_TYPES}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{core}{each}</Types>'
    )


def write_docx(path: Path, body: str, *, before: str = "", title: str = "", author: str = "") -> Path:
    """Write a Word file of XML: ``body`` stands in its ``w:body``, ``before`` before the root."""
    with package(path) as packed:
        packed.writestr(
            "[Content_Types].xml",
            _content_types({"word/document.xml": f"{_MAIN}.wordprocessingml.document.main+xml"}),
        )
        packed.writestr("_rels/.rels", _root_relations("word/document.xml"))
        packed.writestr("docProps/core.xml", _CORE.format(title=escape(title), author=escape(author)))
        packed.writestr(
            "word/document.xml",
            f'{before}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
            f"<w:body>{body}</w:body></w:document>",
        )
    return path


def text_shape(number: int, text: str, *, kind: str = "", top: int = 0, attributes: str = "") -> str:
    """Return a shape with one paragraph a line, as XML."""
    holder = f'<p:ph type="{kind}"/>' if kind else ""
    lines = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="s{number}" {attributes}/><p:cNvSpPr/><p:nvPr>{holder}</p:nvPr>'
        f'</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="{top}"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/>{lines}</p:txBody></p:sp>"
    )


def table_shape(number: int, rows: Sequence[Sequence[str]], *, top: int = 0) -> str:
    """Return a table, as XML."""
    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    lines = "".join(f'<a:tr h="9">{"".join(cell.format(escape(each)) for each in row)}</a:tr>' for row in rows)
    columns = '<a:gridCol w="9"/>' * len(rows[0])
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" name="t{number}"/><p:cNvGraphicFramePr/><p:nvPr/>'
        f'</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="{top}"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'
        f'<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblGrid>{columns}'
        f"</a:tblGrid>{lines}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def write_pptx(
    path: Path, slides: Sequence[str], *, hidden: Sequence[int] = (), title: str = "", author: str = ""
) -> Path:
    """Write a PowerPoint file of XML: each slide is what stands in its ``p:spTree``; ``hidden`` ones by number."""
    spaces = f'xmlns:a="{_DRAWING}" xmlns:p="{_SLIDES}" xmlns:r="{_OFFICE}"'
    kind = f"{_MAIN}.presentationml"
    names = [f"ppt/slides/slide{number}.xml" for number in range(1, len(slides) + 1)]
    with package(path) as packed:
        packed.writestr(
            "[Content_Types].xml",
            _content_types(
                {"ppt/presentation.xml": f"{kind}.presentation.main+xml", **dict.fromkeys(names, f"{kind}.slide+xml")}
            ),
        )
        packed.writestr("_rels/.rels", _root_relations("ppt/presentation.xml"))
        packed.writestr("docProps/core.xml", _CORE.format(title=escape(title), author=escape(author)))
        ids = "".join(f'<p:sldId id="{256 + number}" r:id="r{number}"/>' for number in range(1, len(slides) + 1))
        packed.writestr(
            "ppt/presentation.xml", f"<p:presentation {spaces}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
        )
        packed.writestr(
            "ppt/_rels/presentation.xml.rels",
            _relations(*((f"{_OFFICE}/slide", name.removeprefix("ppt/")) for name in names)),
        )
        for number, (name, shapes) in enumerate(zip(names, slides, strict=True), 1):
            show = ' show="0"' if number in hidden else ""
            packed.writestr(
                name,
                f"<p:sld {spaces}{show}><p:cSld><p:spTree>"
                f"<p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/>"
                f"</p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld></p:sld>",
            )
    return path


def part_texts(loaded) -> dict[str, str]:
    """Return the text of each part of a loaded file, by its name."""
    ends = [*(part.start for part in loaded.parts[1:]), len(loaded.text)]
    return {part.name: loaded.text[part.start : end].strip() for part, end in zip(loaded.parts, ends, strict=True)}
