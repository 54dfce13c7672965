"""The examples of the how-to do what it says; those for LangGraph's server are run in tests/serving."""

import json
import re
from pathlib import Path

from typer.testing import CliRunner

from obsirag import RagConfig, index_vault
from obsirag.cli.app import app

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/serve-it.md").read_text(encoding="utf-8")


def test_a_question_waits_in_a_database(tmp_path, capsys, postgres_url):
    notes, index = str(ROOT / "examples/ue-notes"), str(tmp_path / "index")
    index_vault(RagConfig(vault=notes, index=index, embeddings="hashing"))
    section = PAGE.partition("## Keep threads")[2].replace("ann/7", f"ann/{tmp_path}")
    blocks = re.findall(r'```(?:python title="\w+\.py"|(text))\n(.*?)```', section, re.DOTALL)
    assert [kind for kind, _ in blocks] == ["", "text"] * 2
    for kind, block in blocks:
        if kind:
            assert capsys.readouterr().out == block
        else:
            code = block.replace('"examples/ue-notes"', repr(notes))
            code = code.replace('index=".obsirag"', f"index={index!r}, embeddings='hashing'")
            exec(code, {"DATABASE": postgres_url})


def test_a_clients_configuration_is_a_command_that_there_is():
    (snippet,) = [each for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) if "mcpServers" in each]
    arguments = json.loads(snippet)["mcpServers"]["notes"]["args"]
    told = CliRunner().invoke(app, [*arguments[:2], "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    for option in re.findall(r"--[a-z]+", f"{arguments} {PAGE.partition('## Over MCP')[2].partition('## Keep')[0]}"):
        assert option in f"{told} --watch"


def test_the_extras_are_those_of_the_package():
    import tomllib

    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {extra for each in re.findall(r"obsirag\[([\w,-]+)\]", PAGE) for extra in each.split(",")}
    assert named <= set(known)
