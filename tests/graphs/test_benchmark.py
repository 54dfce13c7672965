"""The benchmark of the question graph, run as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "graph.py"


def test_the_benchmark_says_what_the_graph_costs():
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), "--questions", "2", "--turns", "3", "--kept-turns", "2"],
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for preset in ("naive", "corrective"):
        for way in ("sync", "async"):
            assert f"| {preset} | {way} |" in done.stdout
    rows = [row.strip("| ").split(" | ") for row in done.stdout.splitlines() if row.startswith("| obsirag | ")]
    other_state = [int(row[3].replace(",", "")) for row in rows if len(row) == 5]
    assert len(other_state) >= 2
    # Nothing but the messages grows from turn to turn; a version number may be a digit longer.
    assert max(other_state) - min(other_state) < 200
