from pathlib import Path
from typing import Any

import pytest

from obsirag.evaluation import Question
from obsirag.evaluation.answer_leaks import answer_leaks
from obsirag.evaluation.asking import Response
from obsirag.evaluation.note_files import NoteFiles
from obsirag.records import Citation
from obsirag.vault import Vault

OPEN = "The door has a lock that turns twice to the left."
SECRET = "The spare key lies under the third flower pot."
SECRET_ZH = "发版窗口是六月十八日上午十点到下午两点"


@pytest.fixture
def notes(tmp_path: Path) -> NoteFiles:
    (tmp_path / "open.md").write_text(f"{OPEN}\n", encoding="utf-8")
    (tmp_path / "key.md").write_text(
        f"---\npermission: owners\n---\n{SECRET}\n\n{SECRET_ZH}。\n\n{OPEN}\n",
        encoding="utf-8",
    )
    return NoteFiles(Vault(tmp_path))


def cite(source: str = "open.md", **changes: Any) -> Citation:
    citation = Citation(
        number=1, source=source, title="", headings=[], start_line=1, end_line=1, quote="The door", link=""
    )
    return {**citation, **changes}  # type: ignore[typeddict-item]


ASKED = Question(id="q", question="Where is the key?", gold=())


@pytest.mark.parametrize(
    "response",
    [
        Response(answer=f"It is said: {SECRET}"),
        Response(answer="It lies under the third FLOWER   pot."),
        Response(answer=f"{SECRET_ZH}[1]。"),
        Response(citations=(cite(quote=SECRET),)),
        Response(citations=(cite(headings=[SECRET]),)),
        Response(citations=(cite("key.md"),)),
        Response(written=("fine", SECRET)),
    ],
)
def test_withheld_text_anywhere_is_a_leak_but_for_its_readers(notes: NoteFiles, response: Response) -> None:
    assert answer_leaks(ASKED, response, notes)
    owner = Question(id="q", question="Where is the key?", gold=(), labels=("owners",))
    assert not answer_leaks(owner, response, notes)


@pytest.mark.parametrize(
    ("question", "response"),
    [
        (ASKED, Response(answer=OPEN, citations=(cite(),))),
        (ASKED, Response(answer="I found nothing in the notes that answers this question.")),
        (ASKED, Response(answer="A key, a pot.")),
        (Question(id="q", question=f"Is it true? {SECRET}", gold=()), Response(answer=f"You ask: {SECRET}")),
        (
            Question(id="q", question="And?", gold=(), history=(("assistant", SECRET),)),  # type: ignore[arg-type]
            Response(answer=f"I said: {SECRET}"),
        ),
    ],
)
def test_what_may_be_read_elsewhere_or_was_said_before_is_none(
    notes: NoteFiles, question: Question, response: Response
) -> None:
    assert not answer_leaks(question, response, notes)
