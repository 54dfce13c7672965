import json
import shutil
import subprocess
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


OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr", "--dump-dom"),
)


@pytest.fixture(scope="session")
def browser() -> str:
    """Chromium; where there is none, the test is skipped."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    pytest.skip("there is no Chromium on the path")


@pytest.fixture
def load_page(browser: str, tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Loads a page and returns the document that became of it, and what the browser's console said."""

    def loaded(page: str, fragment: str = "") -> tuple[str, str]:
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8", newline="\n")
        done = subprocess.run(
            [browser, *OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", file.as_uri() + fragment],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=300,
            check=True,
        )
        return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)

    return loaded
