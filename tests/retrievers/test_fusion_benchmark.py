"""The benchmark of fusion, run as a user runs it, on little."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from obsirag import fuse_by_document
from obsirag.retrievers import fuse_scores_by_document

FOLDER = Path(__file__).parents[2] / "benchmarks"
SIZES = ["--rankings", "3", "--hits", "40", "--documents", "12", "--rounds", "1"]


def test_it_shows_both_ways_with_and_without_a_limit() -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "fusion.py"), *SIZES], capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head.split()[:3] == ["ms", "x", "plain"]
    names = [row[:20].strip() for row in rows]
    assert names == ["by ranks, limit 10", "by scores, limit 10", "by ranks, all", "by scores, all"]
    assert all(float(figure) > 0 for row in rows for figure in row[20:].split())


@pytest.mark.parametrize("limit", [None, 1, 5, 100])
def test_the_plain_ways_return_the_same_hits_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch, limit: int | None
) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    fusion = importlib.import_module("fusion")
    rankings = fusion.make_rankings(4, 200, 50)
    for ours, plain in ((fuse_by_document, fusion.plain_ranks), (fuse_scores_by_document, fusion.plain_scores)):
        found = ours(rankings, limit=limit)
        assert plain(rankings, limit) == [each.id for each in found]
        assert [each.id for each in fusion.with_copies(plain, rankings, limit)] == [each.id for each in found]
