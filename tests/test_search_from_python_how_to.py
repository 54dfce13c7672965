"""What the documentation says of searching from Python is what happens."""

import re
from pathlib import Path

from obsirag.retrievers.filters import _JOINTS, _OPERATORS

ROOT = Path(__file__).parents[1]
HOW_TO = (ROOT / "docs" / "how-to" / "search-from-python.md").read_text(encoding="utf-8")


def test_the_code_prints_what_is_shown(tmp_path, capsys, sample_vault):
    scope = {}
    pairs = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", HOW_TO, re.DOTALL)
    assert len(pairs) == HOW_TO.count("```python") == 4
    for code, printed in pairs:
        code = code.replace('"examples/ue-notes"', repr(str(sample_vault)))
        code = code.replace('index=".obsirag"', f"index={str(tmp_path / 'index')!r}, embeddings='hashing'")
        exec(code, scope)
        assert capsys.readouterr().out == printed


def test_all_operators_of_filters_are_told():
    assert [sign for sign in (*_OPERATORS, *_JOINTS) if f"`{sign}`" not in HOW_TO and f'"{sign}"' not in HOW_TO] == []
