import json

import pytest
from typer.testing import CliRunner

from obsirag.cli.app import app


@pytest.fixture
def file(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    file = tmp_path / "c.toml"
    file.write_text("vault = 'notes'\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n")
    return file


def answer(text, *arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments], input=text)


def test_it_asks_before_it_embeds_everything_anew(run, file):
    run("index", "--config", file)
    file.write_text(file.read_text().replace("'hashing'", "{name = 'hashing', dimensions = 64}"))
    assert "obsirag rebuild" in run("index", "--config", file).stderr
    for given in ("n\n", ""):
        refused = answer(given, "rebuild", "--config", file)
        assert (refused.exit_code, "unchanged" in refused.stdout) == (1, False)
    assert answer("y\n", "rebuild", "--config", file).exit_code == 0
    report = json.loads(run("rebuild", "--config", file, "--yes", "--json").stdout)
    assert (report["unchanged"], report["embedded"]) == (["a.md"], 1)


def test_it_asks_before_it_drops_an_index(run, file):
    run("index", "--config", file)
    index = file.parent / "index"
    for given in ("n\n", ""):
        assert answer(given, "drop", "--config", file).exit_code == 1
    assert (index / "catalogue.sqlite").is_file()
    (index / "mine.txt").write_text("mine")
    result = run("drop", "--config", file, "--yes")
    assert (result.exit_code, "mine.txt" in result.stdout) == (0, True)
    assert [each.name for each in index.iterdir()] == ["mine.txt"]
    again = run("drop", "--config", file)  # it doesn't even ask
    assert (again.exit_code, "holds no index" in again.stderr) == (1, True)
    assert (file.parent / "notes" / "a.md").is_file()
