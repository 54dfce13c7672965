"""What citations are judged by, of notes and of files that a loader read."""

from obsirag.evaluation.note_files import NoteFiles
from obsirag.records import LoadedFile
from obsirag.vault import Vault


class Pages:
    suffixes = (".pdf",)

    def load(self, path):
        return LoadedFile("---\ntitle: x\n---\n# Page\n\ntext\n")


def test_lines_are_those_that_citations_count(tmp_path):
    (tmp_path / "note.md").write_text("---\ntags: [a]\n---\nfirst\n")
    (tmp_path / "a.pdf").write_bytes(b"\xff\0binary")
    files = NoteFiles(Vault(tmp_path, loaders=[Pages()]))
    assert files.lines("note.md", 4, 4) == ["first"]
    assert files.lines("a.pdf", 4, 6) == ["# Page", "", "text"]
    assert "binary" not in files.text("a.pdf")
