import pytest
from typer.testing import CliRunner

from obsirag.cli.app import app


@pytest.fixture
def talk(indexed):
    def say(text, *arguments):
        given = ["chat", "--config", str(indexed), *arguments]
        return CliRunner().invoke(app, given, input=text, env={"COLUMNS": "40", "NO_COLOR": "1"})

    return say


def test_each_line_is_a_question_and_blank_ones_are_passed_over(talk):
    result = talk("FTableRowBase 是什么?\n\n  \nWhat is the capital of Peru?\n/exit\nnever asked\n")
    assert result.exit_code == 0, result.output
    assert "数据/数据表 DataTable.md:" in result.stdout
    assert "nothing in the notes" in result.stdout
    assert "never" not in result.stdout


def test_a_named_conversation_goes_on_next_time(talk, indexed):
    first = talk("FTableRowBase 是什么?\n", "--thread", "work")
    assert first.exit_code == 0, first.output
    second = talk("那它怎么用?\n", "--thread", "work")
    assert "数据/数据表 DataTable.md:" in second.stdout
    assert (indexed.parent / "index" / "threads.sqlite").exists()
    alone = talk("那它怎么用?\n", "--thread", "other")
    assert "数据/数据表 DataTable.md:" not in alone.stdout


def test_what_one_caller_read_does_not_reach_the_next(talk):
    first = talk("里程碑与人员安排里有哪些里程碑?\n", "--thread", "x", "--label", "leads")
    assert "内部/里程碑与人员安排.md" in first.stdout
    assert "内部/里程碑与人员安排.md" not in talk("那它们是什么时候?\n", "--thread", "x").stdout


def test_a_broken_file_of_conversations_is_one_message(talk, indexed):
    file = indexed.parent / "index" / "threads.sqlite"
    kept = file.read_bytes() if file.exists() else None
    file.write_bytes(b"no database" * 1000)
    try:
        result = talk("x\n", "--thread", "y")
    finally:
        file.unlink()
        if kept is not None:
            file.write_bytes(kept)
    assert result.exit_code == 1
    assert "threads.sqlite" in result.stderr
    assert "Traceback" not in result.output
