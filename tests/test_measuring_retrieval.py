"""The how-to on measuring retrieval: its files, commands and program work as shown, and its tables are complete."""

import re
import shlex
import shutil
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from obsirag.cli.app import app
from obsirag.components import HashingFallbackWarning
from obsirag.evaluation import Question, RetrievalReport, load_questions

HOW_TO = (Path(__file__).parents[1] / "docs" / "how-to" / "measure-retrieval.md").read_text(encoding="utf-8")


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
    assert len(commands) == 7
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "obsirag"
        done = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
        assert done.exit_code == 0, (command, done.output)
        assert "Warning" not in done.stderr
    assert (folder / "report.json").is_file()
    assert (folder / "report.md").is_file()
    assert (folder / "report.html").is_file()
    (program,) = blocks("python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HashingFallbackWarning)
        exec(program, {})
    printed = capsys.readouterr().out
    assert "| **all** | 3 |" in printed
    assert "Interval(difference=" in printed


def test_the_gold_of_the_example_is_where_it_says(folder):
    for question in load_questions(folder / "questions.jsonl"):
        for span in question.gold:
            lines = (folder / "examples" / "ue-notes" / span.path).read_text("utf-8-sig").split("\n")
            assert all(line.strip() for line in lines[span.start_line - 1 : span.end_line])


def test_every_field_and_every_measure_is_explained():
    explained = {
        name for row in re.findall(r"^\| (`.*?) \|", HOW_TO, re.MULTILINE) for name in re.findall("`(.*?)`", row)
    }
    assert set(Question.__dataclass_fields__) <= explained
    assert {measure.name for measure in RetrievalReport((), k=(5,)).measures} <= explained
    assert {"leaked", "degraded"} <= explained
