"""The programs in the reference of ``obsirag chunks`` run, and give what it says."""

import re
import warnings
from pathlib import Path

from obsirag.components import HashingFallbackWarning

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "reference" / "chunks.md").read_text(encoding="utf-8")


def test_the_programs_that_are_shown_run_and_write_nothing(monkeypatch, capsys):
    configured, by_hand = re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL)
    before = sorted(ROOT.iterdir())
    monkeypatch.chdir(ROOT)
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HashingFallbackWarning)
        exec(configured, names)
    assert names["chunks"][0].metadata["source"] == "数据/数据表 DataTable.md"
    exec(by_hand, names)
    assert sorted(ROOT.iterdir()) == before
    assert capsys.readouterr().out.count("chunk_size 600, max_chunk_size 1,200 characters") == 2
