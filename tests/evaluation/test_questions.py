import json
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from obsirag.errors import EvaluationError
from obsirag.evaluation import GoldSpan, Question, Turn, load_questions, search_text

MINIMAL = {"id": "q1", "question": "Why?", "gold": []}


def write(folder: Path, *lines: object) -> Path:
    path = folder / "set.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_a_full_question_is_read_field_by_field(tmp_path: Path) -> None:
    row = {
        "id": "v-1",
        "vault": "v",
        "kind": "multi_hop",
        "lang": "zh",
        "question": "多少？",
        "history": [["user", "a"], {"role": "assistant", "content": "b"}],
        "gold": [
            {"path": "a b.md", "start_line": 3, "end_line": 5},
            {
                "path": "c.md",
                "start_line": 1,
                "end_line": 1,
                "alt": [{"path": "d.md", "start_line": 2, "end_line": 2}],
            },
        ],
        "needs": "all",
        "key_points": ["p"],
        "labels": ["leads"],
        "notes": "n",
    }
    assert load_questions(write(tmp_path, row)) == [
        Question(
            id="v-1",
            vault="v",
            kind="multi_hop",
            lang="zh",
            question="多少？",
            history=(Turn("user", "a"), Turn("assistant", "b")),
            gold=(GoldSpan("a b.md", 3, 5), GoldSpan("c.md", 1, 1, (GoldSpan("d.md", 2, 2),))),
            needs="all",
            key_points=("p",),
            labels=("leads",),
            notes="n",
        )
    ]


def test_what_is_absent_has_its_default(tmp_path: Path) -> None:
    (question,) = load_questions(write(tmp_path, MINIMAL))
    assert (question.gold, question.needs, question.labels, question.history) == ((), "any", (), ())


def test_questions_are_frozen(tmp_path: Path) -> None:
    (question,) = load_questions(write(tmp_path, MINIMAL))
    with pytest.raises(FrozenInstanceError):
        question.kind = "other"  # type: ignore[misc]


def test_blank_lines_byte_order_mark_and_line_separators_in_strings_are_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    rows = [MINIMAL | {"question": "one\u2028line"}, MINIMAL | {"id": "q2"}]
    path.write_text(
        "\r\n\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8-sig", newline=""
    )
    assert [question.question for question in load_questions(path)] == ["one\u2028line", "Why?"]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "not a JSON object"),
        ("[1]", "not a question"),
        ("null", "not a question"),
        ("[" * 100_000, "not a JSON object"),
        (MINIMAL | {"lables": ["x"]}, "unknown field lables (did you mean labels?)"),
        (MINIMAL | {"zzz": 1}, "unknown field zzz; known are id, question, gold"),
        ({"id": "q", "question": "Why?"}, "gold"),
        (MINIMAL | {"question": "  "}, "question"),
        (MINIMAL | {"question": 3}, "question"),
        (MINIMAL | {"needs": "some"}, "needs"),
        (MINIMAL | {"labels": "leads"}, "labels"),
        (MINIMAL | {"history": [["user"]]}, "history.0"),
        (MINIMAL | {"gold": [{"path": "a.md", "start_line": 1}]}, "gold.0.end_line"),
        (MINIMAL | {"gold": [{"path": "a.md", "start_line": 0, "end_line": 1}]}, "gold.0.start_line"),
        (MINIMAL | {"gold": [{"path": "a.md", "start_line": "1", "end_line": 1}]}, "gold.0.start_line"),
        (MINIMAL | {"gold": [{"path": "a.md", "start_line": 4, "end_line": 3}]}, "end_line 3 lies before start_line 4"),
        (
            MINIMAL | {"gold": [{"path": "a.md", "start_line": 1, "end_line": 1, "lines": 2}]},
            "unknown field gold.0.lines",
        ),
        (MINIMAL, "'q1' is taken by line 1"),
    ],
)
def test_a_bad_line_is_an_error_that_names_file_and_line(tmp_path: Path, bad: object, said: str) -> None:
    path = write(tmp_path, MINIMAL, "", bad)
    with pytest.raises(EvaluationError) as caught:
        load_questions(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert said in str(caught.value)


def test_an_unreadable_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"nowhere\.jsonl"):
        load_questions(tmp_path / "nowhere.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(EvaluationError, match="not UTF-8"):
        load_questions(tmp_path / "latin.jsonl")


def test_a_first_question_is_searched_as_it_stands() -> None:
    assert search_text(Question(id="q", question="Why?", gold=())) == "Why?"


@pytest.mark.parametrize("role", ["user", "human"])
def test_a_follow_up_is_searched_with_the_last_human_turn(role: str) -> None:
    history = (Turn(role, "first"), Turn("assistant", "x"), Turn(role, "second"), Turn("assistant", "y"))
    assert search_text(Question(id="q", question="And that?", gold=(), history=history)) == "second\nAnd that?"


def test_a_history_without_a_human_turn_adds_nothing() -> None:
    question = Question(id="q", question="And that?", gold=(), history=(Turn("assistant", "Hello."),))
    assert search_text(question) == "And that?"


def test_the_development_sets_are_read(test_data: Path) -> None:
    files = sorted((test_data / "questions").glob("*.jsonl"))
    assert files
    for path in files:
        questions = load_questions(path)
        assert len(questions) == sum(1 for line in path.read_text("utf-8").split("\n") if line.strip())
        assert {question.vault for question in questions} == {path.stem}
