"""What the documentation says of loaders is what happens."""

import re
from pathlib import Path

import yaml

from obsirag.components import open_vault
from obsirag.config import RagConfig

PAGE = (Path(__file__).parents[1] / "docs/how-to/read-other-files.md").read_text(encoding="utf-8")


def block(language):
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found


def test_the_code_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "note.md").write_text("A note.")
    (notes / "teas.csv").write_text("tea,degrees\ngreen,80\n")
    monkeypatch.chdir(tmp_path)
    exec(block("python"), {})
    assert capsys.readouterr().out == block("text")


def test_the_configuration_makes_the_files_notes(tmp_path):
    for name in ("a.txt", "b.log", "c.csv"):
        (tmp_path / name).write_text("text")
    settings = {**yaml.safe_load(block("yaml")), "vault": tmp_path}
    assert open_vault(RagConfig(**settings)).paths() == ["a.txt", "b.log"]
