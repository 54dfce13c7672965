"""The example of a plugin, installed as a stranger's package is, and used by configuration alone."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import obsirag

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"
SITE = "https://handbook.example.org"
CONFIG = f"""
vault: vault
index: index
embeddings: hashing
vector_store: {{name: sqlite, file: vectors.db}}
search_provider: {{name: html-folder, folder: SITE_FOLDER, address: {SITE}}}
web_search: {{mode: hybrid}}
offline: true
"""


class Workplace:
    """A folder with a vault, a website and a configuration, where the example is installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        packages = folder / "packages"
        source = shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__", ".*"))
        self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
                 "--no-build-isolation", "--target", str(packages), str(source))  # fmt: skip
        self.path = os.pathsep.join([str(packages), str(Path(obsirag.__file__).parents[1]), *sys.path])
        (folder / "vault").mkdir()
        (folder / "vault" / "Tea.md").write_text("# Tea\n\nOur green tea is kept in the third drawer.\n")
        (folder / "vault" / "Secret.md").write_text("---\npermission: leads\n---\nThe tea of leads is in the safe.\n")
        (folder / "site").mkdir()
        page = "<title>Kettle</title><p>The kettle for green tea is descaled every second Friday.</p>"
        (folder / "site" / "kettle.html").write_text(page)
        (folder / "obsirag.yaml").write_text(CONFIG.replace("SITE_FOLDER", str(folder / "site")))

    def run(self, *arguments: str, cwd: Path | None = None) -> str:
        path = {"PYTHONPATH": self.path} if hasattr(self, "path") else {}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd or self.folder,
            env={**os.environ, **path},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def obsirag(self, *arguments: str) -> str:
        return self.run("-c", "from obsirag.cli import main; main()", *arguments)


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    return Workplace(tmp_path_factory.mktemp("workplace"))


def test_it_is_listed_with_its_origin(workplace):
    found = {each["name"]: each for each in json.loads(workplace.obsirag("plugins", "--json"))}
    for name, module, kind in (
        ("sqlite", "obsirag_shelf.sqlite_store", "vector_store"),
        ("html-folder", "obsirag_shelf.html_folder", "search_provider"),
    ):
        info = found[name]
        assert info.pop("seconds") > 0
        assert info == {
            "name": name,
            "distribution": "obsirag-shelf",
            "version": "0.2.0",
            "module": module,
            "state": "ready",
            "kinds": [kind],
            "api_version": 1,
            "cause": None,
        }


def test_a_vault_is_indexed_and_a_question_answered_from_notes_and_web(workplace):
    workplace.obsirag("index")
    assert (workplace.folder / "index" / "vectors.db").is_file()
    answer = json.loads(workplace.obsirag("ask", "In which drawer is our green tea kept?", "--json"))
    assert "third drawer" in answer["answer"]
    assert answer["citations"][0]["source"] == "Tea.md"
    answer = json.loads(workplace.obsirag("ask", "When is the kettle descaled?", "--json"))
    assert "every second Friday" in answer["answer"]
    assert [each["source"] for each in answer["citations"]] == [f"{SITE}/kettle.html"]
    assert answer["degraded"] == []


def test_who_lacks_the_label_finds_nothing_of_a_restricted_note(workplace):
    workplace.obsirag("index")
    question = ("ask", "Where is the tea of leads?", "--json")
    assert "safe" not in workplace.obsirag(*question)
    assert "in the safe" in json.loads(workplace.obsirag(*question, "--label", "leads"))["answer"]


def test_a_second_index_run_finds_nothing_to_do_and_a_deleted_note_leaves_the_store(workplace):
    extra = workplace.folder / "vault" / "Extra.md"
    extra.write_text("Biscuits are in the fourth drawer.")
    workplace.obsirag("index")
    assert stored(workplace) == 3
    workplace.obsirag("index")
    assert stored(workplace) == 3
    extra.unlink()
    workplace.obsirag("index")
    assert stored(workplace) == 2


def stored(workplace):
    with closing(sqlite3.connect(workplace.folder / "index" / "vectors.db")) as connection:
        return connection.execute("SELECT count(*) FROM vectors").fetchone()[0]


def test_its_own_tests_pass(workplace):
    told = workplace.run("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", cwd=workplace.folder / "source")
    assert "passed" in told


def test_it_asks_obsirag_for_public_names_only():
    for file in (EXAMPLE / "src").rglob("*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("from obsirag") and not line.startswith("from obsirag_shelf"):
                _, room, _, *names = line.replace(",", "").split()
                module = __import__(room, fromlist=["__all__"])
                assert room.count(".") < 2
                assert set(names) <= set(module.__all__), line
