"""The benchmark of keyword queries, run as a user runs it, on little."""

import importlib
import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from obsirag.catalogue import Catalogue
from obsirag.retrievers import KeywordSearch
from obsirag.text import index_terms

FOLDER = Path(__file__).parents[2] / "benchmarks"
BENCHMARK = FOLDER / "keywords.py"


def run(*options: object) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "OBSIRAG_TEST_DATA"}
    return subprocess.run(
        [sys.executable, str(BENCHMARK), *map(str, options)],
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def test_it_shows_each_kind_of_query_for_each_size(tmp_path: Path, sample_vault: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    row = {"id": "a", "question": "FDataTableRowHandle 怎么用？", "gold": []}
    questions.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    done = run(sample_vault, "--questions", questions, "--sizes", 30, 60, "--rounds", 1, "--sample", 5)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    sizes = [int(line.split()[0]) for line in lines if "milliseconds a query" in line]
    assert [size >= least for size, least in zip(sizes, (30, 60), strict=True)] == [True, True]
    assert lines[1].split()[:6] == ["first", "median", "p90", "worst", "FTS5", "x"]
    _, median, p90, worst, fts5, ratio = map(float, lines[2].removeprefix("questions").split()[:6])
    assert 0 < median <= p90 <= worst
    assert ratio == pytest.approx(median / fts5, rel=0.1)
    # In a small index no term is left out, so that both find the same.
    everything = [line for line in lines if line.startswith("  all labels")]
    assert [line.split()[8] for line in everything] == ["1.00", "1.00"]
    for kind in (
        "  one label",
        "  filter: notes",
        "  filter: chunks",
        "own names",
        "hostile: text",
        "hostile: singles",
    ):
        assert sum(line.startswith(kind) for line in lines) == 2


def test_it_says_what_it_needs() -> None:
    done = run()
    assert done.returncode == 2
    assert "give vaults and --questions, or set OBSIRAG_TEST_DATA" in done.stderr


def test_notes_are_always_the_same_and_each_chunk_has_a_name_of_its_own(
    tmp_path: Path, sample_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    varied = importlib.import_module("varied_notes")
    notes = varied.VariedNotes([sample_vault])
    assert list(islice(notes, 20)) == list(islice(varied.VariedNotes([sample_vault]), 20))
    with Catalogue.open(tmp_path) as catalogue:
        varied.fill(catalogue, notes, 300)
        assert 300 <= catalogue.chunk_count() < 400
        search = KeywordSearch(catalogue)
        for record in islice(notes, 30):
            for chunk in record.chunks:
                name = chunk.content.rpartition("\n")[2]
                found = search.search(name, labels=varied.LABELS, limit=1)
                assert name.lower() in index_terms(found[0].page_content)
        restricted = {record.path for record in islice(notes, 100) if record.chunks[0].permissions}
        assert len(restricted) == 10
