import pytest

from obsirag.components import index_vault, plan_sync
from obsirag.config import RagConfig
from obsirag.errors import CatalogueError, VaultError


@pytest.fixture(params=["memory", "chroma"])
def config(request, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, text in {"a": "Flour and water.", "b": "Leaves and water.", "c": "Salt.", "d": "![[a]]"}.items():
        (notes / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    return RagConfig(vault=notes, index=tmp_path / "index", embeddings="hashing", vector_store=request.param)


def contents(folder):
    return {
        each.relative_to(folder): (each.read_bytes() if each.is_file() else None, each.stat().st_mtime_ns)
        for each in folder.rglob("*")
    }


def test_a_plan_of_what_is_new_makes_no_folder(config):
    plan = plan_sync(config)
    assert (plan.added, plan.to_embed) == (("a.md", "b.md", "c.md", "d.md"), 4)
    assert not config.index.exists()
    assert index_vault(config).embedded == 4


def test_a_plan_of_changes_writes_nothing_and_comes_true(config):
    index_vault(config)
    (config.vault / "a.md").write_text("# a\n\nFlour, water and salt.\n", encoding="utf-8")
    (config.vault / "b.md").unlink()
    (config.vault / "c.md").rename(config.vault / "moved.md")
    (config.vault / "new.md").write_text("New.\n", encoding="utf-8")
    (config.vault / "bad.md").write_bytes(b"caf\xe9")
    before = contents(config.index), config.index.stat().st_mtime_ns
    plan = plan_sync(config)
    assert (contents(config.index), config.index.stat().st_mtime_ns) == before
    assert (plan.added, plan.changed, plan.deleted) == (("new.md",), ("a.md", "d.md"), ("b.md",))
    assert (plan.renamed, [each.path for each in plan.failed]) == ((("c.md", "moved.md"),), ["bad.md"])
    report = index_vault(config)
    for kind in ("added", "changed", "renamed", "unchanged", "deleted", "failed"):
        assert getattr(plan, kind) == getattr(report, kind)
    assert plan.to_embed == report.embedded == 3


def test_what_the_run_refuses_is_refused(config):
    index_vault(config)
    other = RagConfig(**{**config.model_dump(), "embeddings": {"name": "hashing", "dimensions": 64}})
    before = contents(config.index)
    with pytest.raises(CatalogueError, match="obsirag rebuild"):
        plan_sync(other)
    with pytest.raises(VaultError):
        plan_sync(RagConfig(**{**config.model_dump(), "vault": config.vault / "nowhere"}))
    assert plan_sync(other, full=True).to_embed == 4
    assert contents(config.index) == before
