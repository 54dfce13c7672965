"""What the documentation says of the conformance kit is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from obsirag.testing.kinds import KITS, kit_of

PAGE = (Path(__file__).parents[1] / "docs/how-to/prove-a-plugin.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
PART = CODE[0][0]


def test_the_code_prints_what_is_shown(capsys):
    names = {"__name__": "example"}
    for code, printed in CODE:
        exec(code, names)
        if printed:
            assert capsys.readouterr().out == printed


def run_pytest(folder, *arguments):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rfs", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_pytest_takes_the_class_as_it_stands(tmp_path):
    (tmp_path / "test_letters.py").write_text(PART, encoding="utf-8")
    ran = run_pytest(tmp_path)
    assert ran.returncode == 1
    assert "TestLetterEmbeddings::test_other_texts_get_other_vectors" in ran.stdout
    assert "so every question finds the same notes" in ran.stdout
    assert re.search(r"SKIPPED .* without its own size of a batch \(`batch_size`\): it gets", ran.stdout)
    assert " passed" in ran.stdout
    good = PART.replace('letter in "abcdefghijklmnopqrstuvwxyz"', "letter in WORDS")
    words = "WORDS = ['save', 'bread', '存', 'penguin', '量', 'note', 'scene', '.']\n"
    (tmp_path / "test_letters.py").write_text(words + good, encoding="utf-8")
    ran = run_pytest(tmp_path)
    assert ran.returncode == 0, ran.stdout


def test_the_kit_itself_needs_no_pytest():
    names = ", ".join(kit_of(kind).__name__ for kind in KITS)
    code = f"import sys\nfrom obsirag.testing import {names}, run_conformance\nprint('pytest' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("kind", KITS)
def test_each_kind_is_told(kind):
    assert f"| `{kind}` | `{kit_of(kind).__name__}` |" in PAGE
