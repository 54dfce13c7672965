import json
from pathlib import Path

import pytest

from obsirag.errors import EvaluationError
from obsirag.evaluation import GoldSpan, Question, find_missing_gold, load_question_sets


def write(path: Path, *ids: str) -> Path:
    rows = [json.dumps({"id": name, "question": "Why?", "gold": []}) for name in ids]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_files_are_one_set_in_their_order(tmp_path: Path) -> None:
    files = [write(tmp_path / "b.jsonl", "b1", "b2"), write(tmp_path / "a.jsonl", "a1")]
    assert [question.id for question in load_question_sets(files)] == ["b1", "b2", "a1"]


def test_an_id_in_two_files_is_an_error_that_names_both(tmp_path: Path) -> None:
    files = [write(tmp_path / "b.jsonl", "x"), write(tmp_path / "a.jsonl", "x")]
    with pytest.raises(EvaluationError, match=r"a\.jsonl: the id 'x' is taken by .*b\.jsonl"):
        load_question_sets(files)
    with pytest.raises(EvaluationError, match="'x' is taken"):
        load_question_sets([files[0], files[0]])


def test_no_question_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="there is no question"):
        load_question_sets([write(tmp_path / "a.jsonl")])


def test_gold_that_no_note_has_is_named_by_question() -> None:
    here, gone = GoldSpan("a.md", 1, 1), GoldSpan("gone.md", 1, 1)
    questions = [
        Question(id="fine", question="?", gold=(here,)),
        Question(id="gone", question="?", gold=(here, gone, gone)),
        Question(id="alternative", question="?", gold=(GoldSpan("a.md", 1, 1, (GoldSpan("b.md", 1, 1),)),)),
        Question(id="nothing", question="?", gold=()),
    ]
    assert find_missing_gold(questions, ["a.md"]) == {"gone": ("gone.md",), "alternative": ("b.md",)}
