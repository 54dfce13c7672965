"""A type checker finds in the uses what is wrong, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

USES = Path(__file__).with_name("uses.py")


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("", "", None),
        pytest.param("components=Components()", "components=config", "arg-type", marks=pytest.mark.slow),
        ('embed_heading="drop"', 'embed_heading="dorp"', "arg-type"),
        # A LangChain retriever takes any argument.
        pytest.param('labels=["leads"]', "labels=5", None, marks=pytest.mark.slow),
        pytest.param("limit=5", 'limit="5"', "arg-type", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_use_is_told(right, wrong, said, tmp_path):
    pytest.importorskip("mypy")
    text = USES.read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "uses.py").write_text(text.replace(right, wrong) if right else text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(tmp_path / "uses.py")]
    cache = ["--cache-dir", str(Path(__file__).parents[2] / ".mypy_cache" / "uses")]
    told = subprocess.run([*command, *cache], capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert (told.returncode == 0) == (said is None), told.stdout
    assert said is None or f"[{said}]" in told.stdout
