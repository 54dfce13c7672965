"""The figures of the scaling page follow from each other, and its commands exist."""

import re
import subprocess
import sys
from math import log
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/explanation/scaling.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(set(re.findall(r"python (benchmarks/\w+\.py)", PAGE))))
def test_the_commands_exist(command):
    assert (ROOT / command).exists()


def test_the_options_that_are_shown_exist():
    shown = set(re.findall(r"scaling\.py .*", PAGE))
    told = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/scaling.py"), "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert all(option in told for line in shown for option in re.findall(r"--\w+", line))


def test_the_formula_gives_what_the_table_says_and_is_near_what_was_measured():
    rows = [
        [int(cell.replace(",", "")) for cell in row]
        for row in re.findall(r"^\| (\d+) \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.M)
    ]
    assert [row[0] for row in rows] == [8, 16, 32]
    for neighbours, measured, formula in rows:
        assert formula == round(4 * 384 + 4 * (2 * neighbours + neighbours / log(neighbours)))
        assert measured == pytest.approx(formula, rel=0.02)


def test_ten_million_notes_are_the_figures_multiplied():
    chunks = 10_000_000 * 100_001 / 31_951
    assert f"{chunks / 1e6:.0f} million chunks" in PAGE
    assert f"{chunks * 1685 / 1e9:.0f} GB of memory" in PAGE
    assert f"{chunks / 2.8 / 86_400:.0f} days" in PAGE
    assert f"= {chunks * 1.43e-3 / 3600:.0f} hours" in PAGE
    assert f"= {chunks * 0.47e-3 / 3600:.0f} hours" in PAGE
    assert f"= {chunks * 5.734e3 / 1e9:.0f} GB" in PAGE
