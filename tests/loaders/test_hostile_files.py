"""Broken and hostile files cost themselves, within their limits; the loader reads the next one."""

import gc
import io
import os
import random
import struct
import sys
import threading
import time
import zipfile
import zlib
from pathlib import Path

import docx
import pytest
import xlsxwriter
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.platypus import Paragraph

from made_files import STYLES, paragraphs, simple_pdf, text_shape, write_docx, write_pptx
from obsirag.errors import VaultError
from obsirag.loaders import FileLoader, Limits
from obsirag.records import LoadedFile, Loader

OLD = bytes.fromhex("d0cf11e0a1b11ae1")
ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{}<!ENTITY z "{}">]>'.format(
    "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12)), "&m;" * 10
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY z SYSTEM "file:///etc/passwd">]>'


@pytest.fixture(scope="module")
def loader():
    return FileLoader(Limits(seconds=40))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A whole file of each kind."""
    folder = tmp_path_factory.mktemp("whole")
    simple_pdf(folder / "a.pdf", paragraphs(20))
    document = docx.Document()
    for number in range(20):
        document.add_paragraph(f"paragraph {number}")
    document.save(str(folder / "a.docx"))
    write_pptx(folder / "a.pptx", [text_shape(2, f"slide {number}") for number in range(5)])
    book = xlsxwriter.Workbook(str(folder / "a.xlsx"))
    book.add_worksheet().write_row(0, 0, ["a", "b"])
    book.close()
    (folder / "a.html").write_text("<h1>a</h1><p>text</p>")
    (folder / "a.csv").write_text("a,b\n1,2\n")
    return folder


def test_it_is_a_loader(loader, whole):
    assert isinstance(loader, Loader)
    for suffix in (".pdf", ".docx", ".pptx", ".xlsx", ".html", ".csv"):
        assert loader.load(whole / f"a{suffix}").text


def is_loaded_or_told(loader, path):
    """Whether a file is read, or refused with a reason; anything else is raised."""
    try:
        return isinstance(loader.load(path), LoadedFile)
    except VaultError as error:
        return bool(str(error))


KINDS = ["pdf", "docx", "pptx", "xlsx"]


@pytest.mark.parametrize("kind", [*KINDS, "html", "csv"])
def test_an_empty_file(loader, tmp_path, kind):
    (tmp_path / f"a.{kind}").write_bytes(b"")
    with pytest.raises(VaultError, match="it is empty"):
        loader.load(tmp_path / f"a.{kind}")


@pytest.mark.parametrize("kind", KINDS)
def test_any_bytes(loader, tmp_path, kind):
    (tmp_path / f"a.{kind}").write_bytes(random.Random(1).randbytes(5000))
    with pytest.raises(VaultError, match=r"this is no .*is its name wrong"):
        loader.load(tmp_path / f"a.{kind}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", [*KINDS, "html"])
def test_a_wrong_name(loader, whole, tmp_path, kind, other):
    if kind == other:
        return
    (tmp_path / f"a.{kind}").write_bytes((whole / f"a.{other}").read_bytes())
    with pytest.raises(VaultError, match=r"this is no .*is its name wrong"):
        loader.load(tmp_path / f"a.{kind}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_file_that_was_cut_off(loader, whole, tmp_path, kind, share):
    data = (whole / f"a.{kind}").read_bytes()
    (tmp_path / f"a.{kind}").write_bytes(data[: int(share * len(data))])
    assert is_loaded_or_told(loader, tmp_path / f"a.{kind}")  # of a PDF file, what is there may be read


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_with_changed_bytes(loader, whole, tmp_path, kind):
    data = bytearray((whole / f"a.{kind}").read_bytes())
    chance = random.Random(7)
    for _ in range(10):
        changed = bytearray(data)
        for _ in range(20):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        (tmp_path / f"a.{kind}").write_bytes(changed)
        assert is_loaded_or_told(loader, tmp_path / f"a.{kind}")


@pytest.mark.parametrize("part", ["word/document.xml", "[Content_Types].xml", "_rels/.rels"])
def test_a_part_that_is_missing_or_no_xml(loader, whole, tmp_path, part):
    for new in (None, b"<w:document", b"<a/>"):
        with zipfile.ZipFile(whole / "a.docx") as old, zipfile.ZipFile(tmp_path / "a.docx", "w") as changed:
            for name in old.namelist():
                if name != part or new is not None:
                    changed.writestr(name, new if name == part else old.read(name))
        assert is_loaded_or_told(loader, tmp_path / "a.docx")


def test_files_with_a_password(loader, tmp_path):
    simple_pdf(
        tmp_path / "a.pdf", [Paragraph("secret", STYLES["BodyText"])], encrypt=StandardEncryption("user", "owner")
    )
    with pytest.raises(VaultError, match="it is encrypted; save it without a password"):
        loader.load(tmp_path / "a.pdf")
    for kind in ("docx", "pptx", "xlsx"):
        (tmp_path / f"a.{kind}").write_bytes(OLD + bytes(3000))
        with pytest.raises(VaultError, match="with a password, or one of before 2007"):
            loader.load(tmp_path / f"a.{kind}")


def test_a_file_that_only_its_owner_may_change_is_read(loader, tmp_path):
    simple_pdf(tmp_path / "a.pdf", [Paragraph("open", STYLES["BodyText"])], encrypt=StandardEncryption("", "owner"))
    assert loader.load(tmp_path / "a.pdf").text == "open\n"


@pytest.mark.parametrize("declaration", [ENTITIES, OUTSIDE], ids=["many", "outside"])
def test_entities_are_refused(loader, tmp_path, declaration):
    path = write_docx(tmp_path / "a.docx", "<w:p><w:r><w:t>&z;</w:t></w:r></w:p>", before=declaration)
    with pytest.raises(VaultError, match="declares a document type"):
        loader.load(path)
    (tmp_path / "a.xhtml").write_text(f"<?xml version='1.0'?>{declaration}<html><body><p>seen &z;</p></body></html>")
    assert len(loader.load(tmp_path / "a.xhtml").text) < 2000
    assert "root:" not in loader.load(tmp_path / "a.xhtml").text


def bomb(path, size, *, declared=None):
    """Write a Word file whose text unpacks to so many bytes, whatever it declares."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b" " * size)
    if declared is not None:
        data = path.read_bytes()
        true, false = struct.pack("<I", size), struct.pack("<I", declared)
        path.write_bytes(data.replace(true, false))
    return path


def test_a_file_that_unpacks_to_much(tmp_path):
    loader = FileLoader(Limits(unpacked_size=20, memory=600))
    path = bomb(tmp_path / "a.docx", 60 << 20)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(VaultError, match=r"unpacks to 60 MiB in 1 files, more than `unpacked_size` \(20 MiB\)"):
        loader.load(path)
    with pytest.raises(VaultError):
        loader.load(bomb(tmp_path / "b.docx", 60 << 20, declared=1000))


def raw_pdf(path, content, *, filters="/FlateDecode"):
    """Write a PDF file of one page with a stream as it is."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d/Filter[%s]>>stream\n%s\nendstream" % (len(content), filters.encode(), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.7\n")
    for number, each in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, each))
    start = out.tell()
    out.write(b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start)
    path.write_bytes(out.getvalue())
    return path


def test_a_stream_that_unpacks_to_much_more_than_memory(tmp_path):
    packing = zlib.compressobj(1)
    once = b"".join([packing.compress(b" " * (1 << 22)) for _ in range(200)] + [packing.flush()])
    path = raw_pdf(tmp_path / "a.pdf", zlib.compress(once), filters="/FlateDecode/FlateDecode")
    assert path.stat().st_size < 1 << 20
    begin = time.monotonic()
    with pytest.raises(VaultError):
        FileLoader(Limits(memory=700, seconds=5)).load(path)
    assert time.monotonic() - begin < 60


def test_a_file_that_takes_for_ever_is_given_up_and_the_next_is_read(tmp_path, whole):
    loader = FileLoader(Limits(seconds=2))
    path = raw_pdf(tmp_path / "a.pdf", zlib.compress(b"BT /F 9 Tf 1 0 0 1 9 9 Tm (x) Tj ET\n" * 3_000_000, 9))
    begin = time.monotonic()
    with pytest.raises(VaultError, match=r"took longer than `seconds` \(2\) and was given up|read in time"):
        loader.load(path)
    assert time.monotonic() - begin < 30
    assert loader.load(whole / "a.csv").text


def test_a_large_file_is_not_opened(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"a,b\n" * 600_000)
    with pytest.raises(VaultError, match=r"it has 2 MiB, more than `file_size` \(1 MiB\)"):
        FileLoader(Limits(file_size=1)).load(tmp_path / "a.csv")


def test_a_file_that_is_gone(loader, tmp_path):
    with pytest.raises(VaultError, match="cannot be opened: No such file"):
        loader.load(tmp_path / "none.pdf")


def test_several_threads_read_at_once(loader, whole):
    texts, errors = [], []

    def read(kind):
        try:
            texts.extend((kind, loader.load(whole / f"a.{kind}").text) for _ in range(5))
        except Exception as error:  # noqa: BLE001 - looked at in the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=read, args=(kind,)) for kind in ("csv", "html", "csv", "html")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors
    assert len(texts) == 20
    assert len(set(texts)) == 2


def test_nothing_is_imported_from_the_working_folder(tmp_path, whole, monkeypatch):
    for name in ("json.py", "html_to_markdown.py", "csv.py", "pdfplumber.py"):
        (tmp_path / name).write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    loader = FileLoader()
    assert loader.load(whole / "a.html").text == "# a\n\ntext\n"
    assert loader.load(whole / "a.csv").text


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at the processes of this system")
def test_its_processes_end_with_it(whole):
    def children():
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())

    before = children()
    loader = FileLoader()
    loader.load(whole / "a.csv")
    assert len(children() - before) == 1
    del loader
    gc.collect()
    assert children() - before == set()
