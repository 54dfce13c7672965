import shutil

import pytest
from typer.testing import CliRunner

from obsirag.cli.app import app

QUESTION = "FTableRowBase 是什么?"


@pytest.fixture
def own_vault(run, sample_vault, tmp_path):
    vault = tmp_path / "vault"
    shutil.copytree(sample_vault, vault)
    file = tmp_path / "obsirag.yaml"
    file.write_text(
        "vault: vault\nindex: index\nembeddings: hashing\nvector_store: memory\ngrowth: {folder: 问答}\n",
        encoding="utf-8",
    )
    assert run("index", "--config", file).exit_code == 0
    return file


@pytest.fixture
def talk(own_vault):
    def say(*lines):
        typed = "".join(f"{line}\n" for line in lines)
        return CliRunner().invoke(app, ["chat", "--config", str(own_vault)], input=typed, env={"NO_COLOR": "1"})

    return say


def test_an_answer_is_shown_as_a_note_and_written_after_a_yes(talk, own_vault, run):
    folder = own_vault.parent / "vault" / "问答"
    shown = talk(QUESTION, "/save")
    assert shown.exit_code == 0, shown.output
    assert "derived: obsirag" in shown.stdout
    assert "For everybody." in shown.stdout
    assert not folder.exists()
    written = talk(QUESTION, "/save", "/save yes", "/save maybe")
    (file,) = folder.iterdir()
    assert f"Written and indexed: 问答/{file.name}" in written.stdout
    assert "/save yes writes it" in written.stderr
    assert "derived: obsirag" in file.read_text(encoding="utf-8")
    assert "original-" not in run("check", "--config", own_vault).stdout


def test_without_an_answer_or_a_folder_nothing_is_written(talk, own_vault):
    assert "no answer" in talk("/save yes").stderr
    own_vault.write_text(own_vault.read_text(encoding="utf-8").replace("growth: {folder: 问答}", ""), encoding="utf-8")
    refused = talk(QUESTION, "/save yes")
    assert (refused.exit_code, "growth" in refused.stderr) == (0, True)
