"""No module leads back to itself by its imports, those within functions included."""

from pathlib import Path

import pytest

grimp = pytest.importorskip("grimp", reason="import-linter is not installed")

SOURCES = Path(__file__).parents[1] / "src"


def circles(graph):
    """Return a chain of imports for each module that leads back to itself."""
    found = []
    for module in sorted(graph.modules):
        for imported in graph.find_modules_directly_imported_by(module):
            back = graph.find_shortest_chain(imported, module)
            if back:
                found.append((module, *back))
    return found


def test_no_module_leads_back_to_itself(monkeypatch):
    monkeypatch.syspath_prepend(str(SOURCES))
    graph = grimp.build_graph("obsirag", exclude_type_checking_imports=True, cache_dir=None)
    assert len(graph.modules) > 300
    assert circles(graph) == []


def test_a_circle_is_found():
    graph = grimp.ImportGraph()
    for module in ("a", "b", "c"):
        graph.add_module(module)
    graph.add_import(importer="a", imported="b")
    graph.add_import(importer="b", imported="c")
    assert circles(graph) == []
    graph.add_import(importer="c", imported="a")
    assert {chain[0] for chain in circles(graph)} == {"a", "b", "c"}
