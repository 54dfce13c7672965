"""The retrieval benchmark, run as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "retrieval.py"
QUESTIONS = [
    {
        "id": "found",
        "vault": "ue-notes",
        "kind": "identifier",
        "question": "FDataTableRowHandle",
        "gold": [{"path": "数据/数据表 DataTable.md", "start_line": 49, "end_line": 49}],
    },
    {"id": "hidden", "vault": "ue-notes", "kind": "restricted", "question": "备用 U 盾放在哪里？", "gold": []},
]


def test_the_benchmark_compares_the_pipelines_in_one_table(tmp_path: Path, sample_vault: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in QUESTIONS), encoding="utf-8")
    options = ["--questions", questions, "--vaults", sample_vault.parent, "--embeddings", "hashing"]
    options += ["--cache", tmp_path / "cache", "--json", tmp_path / "out.json", "--misses"]
    environment = {name: value for name, value in os.environ.items() if name != "OBSIRAG_TEST_DATA"}
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), *map(str, options)],
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("| **all** | 1 + 1 |")]
    names = [row.split(" | ")[2] for row in rows]
    assert names[0] == "default: Recursive 1000/200 + dense"
    # Between them those of other packages, where they are installed.
    assert names[-3:] == ["obsirag: hybrid", "obsirag: dense only", "obsirag: keywords only"]
    (measures,) = (line for line in done.stdout.splitlines() if line.startswith("| measure |"))
    assert measures.endswith(" | obsirag: hybrid | obsirag: dense only | obsirag: keywords only |")
    outcomes = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert outcomes["obsirag: hybrid"]["overall"]["figures"]["recall@10"] == 1.0
    assert outcomes["obsirag: hybrid"]["comparison"]["overall"]["questions"] == 1
    for pipeline, outcome in outcomes.items():
        assert outcome["chunks"] > 0
        if pipeline.startswith("obsirag"):
            assert outcome["overall"]["leaked"] == 0
    assert (tmp_path / "cache" / "vectors.sqlite").exists()


def test_it_says_what_it_needs(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OBSIRAG_TEST_DATA"}
    done = subprocess.run(
        [sys.executable, str(BENCHMARK)], env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 2
    assert "give --questions and --vaults, or set OBSIRAG_TEST_DATA" in done.stderr
