from langchain_core.documents import Document
from langchain_text_splitters import CharacterTextSplitter

from obsirag.cli.cutting import NoteCutter
from obsirag.cli.split_report import report_note, report_vault
from obsirag.config import RagConfig


class Careless(CharacterTextSplitter):
    """A splitter whose chunks of a note don't say where they are from."""

    def split_note(self, rendered):
        return [Document(text, id=str(index)) for index, text in enumerate(self.split_text(rendered.text))]


def test_a_strangers_chunks_are_counted_to_their_notes(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text("one two three. " * 10, encoding="utf-8")
    cutter = NoteCutter(RagConfig(vault=tmp_path, index=tmp_path / "index", embeddings="hashing"))
    cutter._splitter = Careless(separator=" ", chunk_size=40, chunk_overlap=0)
    chunks = cutter.cut(cutter.render("a.md"))
    assert len(chunks) > 1
    assert {each.metadata["source"] for each in chunks} == {"a.md"}
    report, failed = report_vault(cutter)
    assert (report.notes, report.chunks, report.notes_without_chunks, failed) == (2, 2 * len(chunks), (), False)
    assert report_note(cutter, "b.md").chunks == len(chunks)
