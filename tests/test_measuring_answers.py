"""The how-to on measuring answers: its files, commands and programs work as shown, and its tables are complete."""

import re
import shlex
import shutil
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from obsirag.cli.app import app
from obsirag.components import HashingFallbackWarning
from obsirag.evaluation import AnswerReport, load_questions, states

HOW_TO = (Path(__file__).parents[1] / "docs" / "how-to" / "measure-answers.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", HOW_TO, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch, sample_vault):
    """A folder with the files of the how-to; the configurations use small parts, which need no model."""
    shutil.copytree(sample_vault, tmp_path / "examples" / "ue-notes")
    (questions,) = blocks("jsonl")
    (tmp_path / "questions.jsonl").write_text(questions, encoding="utf-8")
    for config in blocks("yaml"):
        name = re.match(r"# (\S+)\n", config).group(1)
        (tmp_path / name).write_text(f"{config}embeddings: hashing\nvector_store: memory\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_everything_that_is_shown_runs(folder, capsys):
    commands = [line for block in blocks("bash") for line in block.splitlines()]
    assert len(commands) == 6
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "obsirag"
        done = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
        assert done.exit_code == 0, (command, done.output)
        assert "Warning" not in done.stderr
    assert (folder / "answers.json").is_file()
    assert (folder / "compared.md").is_file()
    assert (folder / "answers.html").is_file()
    first, second = blocks("python")
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HashingFallbackWarning)
        exec(first, names)
        exec(second, names)
    printed = capsys.readouterr().out
    assert "| **all** | 3 |" in printed
    assert "judged_by_model 1.0" in printed


def test_the_gold_of_the_example_states_its_key_points(folder):
    questions = load_questions(folder / "questions.jsonl")
    assert [question.id for question in questions if question.gold] == ["lnk", "asc", "window"]
    for question in questions:
        for span in question.gold:
            lines = (folder / "examples" / "ue-notes" / span.path).read_text("utf-8-sig").split("\n")
            text = "\n".join(lines[span.start_line - 1 : span.end_line])
            assert all(states(text, point) for point in question.key_points)


def test_the_examples_of_the_rule_are_true():
    (sentence,) = re.findall(r"^So \"(.*?)\" doesn't state \"(.*?)\", and neither does \"(.*?)\"", HOW_TO, re.MULTILINE)
    other_number, point, contrary = sentence
    assert states(point, point)
    assert not states(other_number, point)
    assert not states(contrary, point)
    assert not states("before 17:00", "not after 17:00")


def test_every_measure_is_explained():
    explained = {
        name for row in re.findall(r"^\| (`.*?) \|", HOW_TO, re.MULTILINE) for name in re.findall("`(.*?)`", row)
    }
    report = AnswerReport(())
    assert {measure.name for measure in report.measures} <= explained
    assert {name.replace("_", " ") for name in report.overall.times} <= explained
    assert {"leaked", "degraded"} <= explained
