import json

import pytest
from typer.testing import CliRunner

from obsirag.cli.app import app

QUESTION = "FTableRowBase 是什么?"
SOURCE = "数据/数据表 DataTable.md"
RESTRICTED = "内部/里程碑与人员安排.md"


@pytest.fixture
def feedback(run, indexed):
    yield lambda *arguments: run("feedback", *arguments, "--config", indexed)
    (indexed.parent / "index" / "feedback.sqlite").unlink(missing_ok=True)


@pytest.fixture
def talk(indexed, feedback):
    def say(*lines, labels=()):
        given = ["chat", "--config", str(indexed), *(word for label in labels for word in ("--label", label))]
        typed = "".join(f"{line}\n" for line in lines)
        return CliRunner().invoke(app, given, input=typed, env={"COLUMNS": "40", "NO_COLOR": "1"})

    return say


def listed(feedback, *arguments):
    return json.loads(feedback("list", "--json", *arguments).stdout)


def test_a_mark_is_made_listed_shown_and_revoked(feedback):
    added = feedback("add", "good", QUESTION, "--source", SOURCE)
    assert added.exit_code == 0, added.output
    (mark,) = listed(feedback)
    assert added.stdout.startswith(f"{mark['id']}  ")
    assert (mark["kind"], mark["question"], mark["sources"]) == ("good", QUESTION, [SOURCE])
    assert feedback("show", QUESTION).stdout == f"+0.50  {SOURCE}  ({mark['id']})\n"
    assert listed(feedback, "--question", "今天吃什么") == []
    assert feedback("revoke", mark["id"]).exit_code == 0
    assert listed(feedback) == []
    again = feedback("revoke", mark["id"])
    assert (again.exit_code, "no mark" in again.stderr) == (1, True)


def test_what_cannot_be_marked_is_one_message(feedback):
    for arguments in (("good", QUESTION, "--source", RESTRICTED), ("lovely", QUESTION), ("correction", QUESTION)):
        result = feedback("add", *arguments)
        assert (result.exit_code, result.stderr.startswith("Error: ")) == (1, True)
    assert listed(feedback) == []


def test_in_a_conversation_the_last_answer_is_marked(talk, feedback):
    result = talk(QUESTION, "/good 1", "/bad", "/better 数据/存档系统.md", "/correct 行结构的基类")
    assert result.exit_code == 0, result.output
    marks = listed(feedback)
    assert [each["kind"] for each in marks] == ["good", "bad", "better_source", "correction"]
    assert {each["question"] for each in marks} == {QUESTION}
    assert marks[0]["sources"] == [SOURCE]
    assert marks[2]["sources"] == ["数据/存档系统.md"]
    assert marks[3]["words"] == "行结构的基类"
    assert all(each["id"] in result.stdout for each in marks)


@pytest.mark.parametrize(
    "command", ["/good 99", "/bad x", "/better", "/better nothing.md", "/correct", "/better " + RESTRICTED]
)
def test_a_command_that_cannot_be_obeyed_is_told_and_the_conversation_goes_on(talk, feedback, command):
    result = talk(QUESTION, command, "BindWidgetOptional 什么时候用?")
    assert result.exit_code == 0
    assert result.stderr
    assert "UPROPERTY" in result.stdout
    assert listed(feedback) == []


def test_before_there_is_an_answer_nothing_is_marked(talk, feedback):
    result = talk("/good", "What is the capital of Peru?", "/bad")
    assert result.stderr.count("no answer") == 2
    assert listed(feedback) == []


def test_marks_of_a_conversation_carry_its_labels(talk, feedback):
    talk(QUESTION, "/good", labels=["leads"])
    assert listed(feedback) == []
    assert [each["labels"] for each in listed(feedback, "--label", "leads")] == [["leads"]]
