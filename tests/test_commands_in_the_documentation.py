"""Each command that the documentation names takes the options that stand behind it."""

import re
from pathlib import Path

import pytest
import typer

from obsirag.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md")])
COMMAND = re.compile(r"(?:^(?:\$ )?|`)obsirag ([a-z][^`\n]*)", re.MULTILINE)


def unknown_options(line):
    """Return what `obsirag LINE` names and nobody knows; None as the only one for a command that doesn't exist."""
    command = typer.main.get_command(app)
    words = line.partition("#")[0].split()
    while hasattr(command, "commands"):
        if not words:
            return []  # a group by itself, such as `obsirag trace`
        command = command.commands.get(words.pop(0))
        if command is None:
            return [None]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    return [word for word in words if re.match(r"--?[a-z]", word) and word.partition("=")[0] not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_take_the_options_that_are_shown(page):
    lines = COMMAND.findall(page.read_text(encoding="utf-8"))
    assert {line: unknown for line in lines if (unknown := unknown_options(line))} == {}


def test_the_rule_sees_what_does_not_exist():
    assert unknown_options("index --vault notes") == ["--vault"]
    assert unknown_options("serve tea") == [None]
    assert unknown_options('ask --vault notes --label leads "When?"') == []
