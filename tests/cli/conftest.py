import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from obsirag.cli.app import app


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Runs a command in this process; its standard output and errors are kept apart."""

    def invoke(*arguments: object) -> Result:
        # A narrow terminal must not cut paths or links.
        return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "40", "NO_COLOR": "1"})

    return invoke


@pytest.fixture(scope="session")
def indexed(run: Callable[..., Result], sample_vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A configuration file whose vault, the sample vault, is indexed with small parts."""
    folder = tmp_path_factory.mktemp("cli")
    file = folder / "obsirag.toml"
    file.write_text(
        f"vault = {json.dumps(str(sample_vault))}\nindex = 'index'\nembeddings = 'hashing'\nvector_store = 'memory'\n",
        encoding="utf-8",
    )
    result = run("index", "--config", file)
    assert result.exit_code == 0, result.output
    return file
