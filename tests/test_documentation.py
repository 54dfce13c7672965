"""The documentation hangs together: each page is in the menu, and each public name in the reference."""

import re
from importlib import import_module
from pathlib import Path

import pytest
import yaml

import obsirag
from obsirag.plugins import hookspecs

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
API = DOCS / "reference" / "api"
ROOMS = ("graphs", "retrievers", "splitters", "evaluation", "checking", "records", "testing", "tools")


def described(page):
    return set(re.findall(r"^::: (\S+)$", (API / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE))


def test_every_public_name_is_in_the_reference():
    assert described("obsirag") == {f"obsirag.{obsirag._ROOM_OF[name]}.{name}" for name in obsirag.__all__}


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_of_a_room_is_in_the_reference(room):
    names = set(import_module(f"obsirag.{room}").__all__) - set(obsirag.__all__)
    assert described(room) == {f"obsirag.{room}.{name}" for name in names}


@pytest.mark.parametrize("hook", hookspecs.__all__)
def test_every_hook_says_what_it_returns(hook):
    assert getattr(hookspecs, hook).__doc__.startswith("Return ")


def test_the_decisions_are_listed_in_order():
    records = sorted(path.name for path in (DOCS / "decisions").glob("0*.md"))
    listed = re.findall(r"\]\((0[^)]*)\)", (DOCS / "decisions" / "index.md").read_text(encoding="utf-8"))
    assert listed == records


def test_every_page_is_in_the_menu():
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert {page for page in pages if page not in menu} == {page for page in pages if re.match(r"decisions/0", page)}
    assert yaml.safe_load(menu)["theme"]["font"] is False


def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path, monkeypatch):
    pytest.importorskip("mkdocstrings")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.chdir(ROOT)
    build(load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(tmp_path)))
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 30
    loaded = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//')
    assert [page.name for page in pages if loaded.search(page.read_text(encoding="utf-8"))] == []
