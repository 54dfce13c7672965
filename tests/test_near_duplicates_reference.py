"""What the reference of near-duplicates shows and lists is what happens."""

import re
from pathlib import Path

from langchain_core.documents import Document

from obsirag import merge_near_duplicates

REFERENCE = (Path(__file__).parents[1] / "docs" / "reference" / "near-duplicates.md").read_text(encoding="utf-8")


def test_the_example_prints_what_it_says(capsys):
    (shown,) = re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL)
    exec(shown, {})
    assert capsys.readouterr().out.splitlines() == ["[[0, 1]]", "A.md ['B.md']", "C.md []"]


def test_every_field_is_listed():
    listed = re.findall(r"^\| `(\w+)` \|", REFERENCE, re.MULTILINE)
    (kept,) = merge_near_duplicates([Document("A", metadata={"aspects": ["price"]})], [[1.0]])
    assert sorted(listed) == sorted(kept.metadata)
