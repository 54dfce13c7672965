"""What the tutorial and the first how-tos say is what happens."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from obsirag.cli.app import app
from obsirag.config import RagConfig

ROOT = Path(__file__).parents[1]
PAGES = (
    "tutorial.md",
    "how-to/use-your-own-models.md",
    "how-to/restrict-notes.md",
    "how-to/cut-your-notes.md",
    "how-to/use-it-in-a-langchain-project.md",
)


def blocks(page, language):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Return the folder of the tutorial, with the notes that its commands write."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (notes,) = [block for block in blocks("tutorial.md", "bash") if block.startswith("mkdir notes")]
    subprocess.run(["bash", "-ec", notes], check=True)
    return tmp_path


def test_the_tutorials_commands_answer_as_it_says(desk):
    (commands,) = [block for block in blocks("tutorial.md", "bash") if block.startswith("obsirag index")]
    printed = []
    for line in commands.splitlines():
        words = re.findall(r'"([^"]*)"|(\S+)', line)
        result = CliRunner().invoke(app, [quoted or word for quoted, word in words][1:])
        assert result.exit_code == 0, result.output
        printed.append(result.stdout)
    assert "90 min" in printed[1]
    assert "17:00" in printed[2]
    assert "May" not in printed[3]
    assert "in May" in printed[4]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_prints_what_is_shown(page, desk, capsys):
    names = {}
    printed = blocks(page, "text")
    for code, shown in zip(blocks(page, "python"), printed, strict=True):
        code = code.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
        code = re.sub(r'index="([^"]*)"', rf"index={str(desk)!r} + '/\1', embeddings='hashing'", code)
        exec(code, names)
        assert capsys.readouterr().out == shown
    assert printed


@pytest.mark.parametrize("page", [*PAGES, "how-to/choose-a-preset.md"])
def test_the_configurations_are_valid(page):
    for block in blocks(page, "yaml"):
        given = yaml.safe_load(block)
        if set(given) != {"permission"}:
            assert RagConfig(**given)
