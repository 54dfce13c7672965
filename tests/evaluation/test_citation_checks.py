from pathlib import Path

import pytest

from obsirag.evaluation import GoldSpan, Question
from obsirag.evaluation.citation_checks import citation_precision, citation_recall, is_valid
from obsirag.evaluation.note_files import NoteFiles
from obsirag.records import Citation
from obsirag.vault import Vault


@pytest.fixture
def notes(tmp_path: Path) -> NoteFiles:
    (tmp_path / "a.md").write_bytes("# A\r\n\r\n上限是  5 个。%%改过%% ^limit\r\nThe end.\r\n".encode("utf-8-sig"))
    (tmp_path / "board.canvas").write_text(
        '{"nodes": [{"id": "1", "type": "text", "x": 0, "y": 0, "width": 9, "height": 9,\n'
        '"text": "Say \\"stop\\"\\nat 0.7"},\n'
        '{"id": "2", "type": "file", "file": "a.md", "x": 9, "y": 9, "width": 9, "height": 9}],\n'
        '"edges": [{"id": "3", "fromNode": "1", "toNode": "2", "label": "see"}]}',
        encoding="utf-8",
    )
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    return NoteFiles(Vault(tmp_path))


def cite(source: str = "a.md", start: int = 3, end: int = 3, quote: str = "上限是 5 个。", link: str = "") -> Citation:
    return Citation(
        number=1, source=source, title="", headings=[], start_line=start, end_line=end, quote=quote, link=link
    )


@pytest.mark.parametrize(
    ("citation", "valid"),
    [
        (cite(), True),
        (cite(end=4, quote="上限是 5 个。\nThe end."), True),
        (cite(quote="上限是  5 个。%%改过%%"), True),
        (cite(quote="上限是 6 个。"), False),
        (cite(start=4, end=4), False),
        (cite(start=0), False),
        (cite(end=99), False),
        (cite(start=4, end=3), False),
        (cite(quote=" "), False),
        (cite("gone.md"), False),
        (cite("../a.md"), False),
        (cite("bad.md", 1, 1), False),
        (cite("board.canvas", 2, 2, 'Say "stop"\nat 0.7'), True),
        (cite("board.canvas", 1, 1, 'Say "stop"'), False),
        (cite("board.canvas", 3, 3, "[[a.md]]"), True),
        (cite("board.canvas", 3, 3, "[[b.md]]"), False),
        (cite("https://example.org/a", 0, 0, "x", "https://example.org/a"), True),
        (cite("https://example.org/a", 0, 0, "x", "https://example.org/b"), False),
        (cite("https:///a", 0, 0, "x", "https:///a"), False),
    ],
)
def test_a_quote_has_to_stand_where_its_citation_says(notes: NoteFiles, citation: Citation, valid: bool) -> None:
    assert is_valid(citation, notes) == valid


def test_precision_counts_the_citations_and_recall_the_gold() -> None:
    spans = (GoldSpan("a.md", 3, 3, alt=(GoldSpan("b.md", 1, 2),)), GoldSpan("c.md", 9, 9))
    need_all = Question(id="q", question="?", gold=spans, needs="all")
    need_any = Question(id="q", question="?", gold=spans)
    on_alternative, elsewhere, second = cite("b.md", 2, 8), cite("a.md", 4, 9), cite("c.md", 1, 9)
    assert citation_precision(need_all, [on_alternative, elsewhere]) == 0.5
    assert citation_recall(need_all, [on_alternative, elsewhere]) == 0.5
    assert citation_recall(need_any, [on_alternative, elsewhere]) == 1.0
    assert citation_recall(need_all, [on_alternative, second]) == 1.0
    assert (citation_precision(need_any, []), citation_recall(need_any, [])) == (None, 0.0)
    without = Question(id="q", question="?", gold=())
    assert (citation_precision(without, [second]), citation_recall(without, [second])) == (None, None)
