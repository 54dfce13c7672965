"""The reference of diagnostics lists exactly the codes that there are."""

import ast
import importlib
import re
from pathlib import Path

import obsirag.indexing
from obsirag.vault import DIAGNOSTIC_CODES

REFERENCE = Path(__file__).parents[1] / "docs" / "reference" / "diagnostics.md"
CODE_ARGUMENT = {"Diagnostic": 2, "fail": 1}


def codes_made_in(file: Path) -> set[str]:
    """Return the codes that the calls in a module of indexing give, written out or by the name of a constant."""
    module = importlib.import_module(f"obsirag.indexing.{file.stem}")
    codes: set[str] = set()
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        given = [each.value for each in call.keywords if each.arg == "code"]
        if name.lstrip("_") in CODE_ARGUMENT:
            given += call.args[CODE_ARGUMENT[name.lstrip("_")] :][:1]
        for code in given:
            value = code.value if isinstance(code, ast.Constant) else getattr(module, getattr(code, "id", ""), None)
            if isinstance(value, str):
                codes.add(value)
    return codes


def test_every_code_is_explained():
    folder = Path(obsirag.indexing.__file__).parent
    made = set().union(*(codes_made_in(file) for file in folder.glob("*.py") if file.stem != "__init__"))
    assert made
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \| (.+) \|$", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(code for code, _, _ in rows) == sorted(made | DIAGNOSTIC_CODES.keys())
