from contextlib import closing
from importlib.metadata import distribution

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_text_splitters import TextSplitter
from pydantic import Field

from obsirag.catalogue import Catalogue
from obsirag.components import Components, aindex_vault, index_vault, split_note
from obsirag.components.index import open_indexer
from obsirag.config import RagConfig
from obsirag.errors import CatalogueError, ConfigError, PluginError, VaultError


class CountingEmbeddings(DeterministicFakeEmbedding):
    texts: list[str] = Field(default_factory=list)

    def embed_documents(self, texts):
        self.texts.extend(texts)
        return super().embed_documents(texts)


@pytest.fixture
def config(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Bread\n\nFlour and water.\n", encoding="utf-8")
    (notes / "b.md").write_text("# Tea\n\nLeaves and water.\n", encoding="utf-8")
    return RagConfig(vault=notes, index=tmp_path / "index", embeddings="hashing", vector_store="memory")


def change(config, **values):
    return RagConfig(**{**config.model_dump(), **values})


def test_a_vault_becomes_an_index_and_the_second_run_embeds_nothing(config):
    components = Components(embeddings=CountingEmbeddings(size=8))
    report = index_vault(config, components=components)
    assert report.added == ("a.md", "b.md")
    assert report.embedded == len(components.embeddings.texts) == report.chunks
    components.embeddings.texts.clear()
    again = index_vault(config, components=components)
    assert again.unchanged == ("a.md", "b.md")
    assert (again.embedded, components.embeddings.texts) == (0, [])


def test_links_out_of_the_vault_are_followed_as_the_config_says(config, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "c.md").write_text("# Salt\n\nFrom the sea.\n", encoding="utf-8")
    (config.vault / "linked").symlink_to(tmp_path / "shared")
    assert index_vault(config).added == ("a.md", "b.md")
    following = change(config, vault_options={"follow_symlinks": True})
    assert index_vault(following).added == ("linked/c.md",)
    assert [chunk.metadata["source"] for chunk in split_note(following, "linked/c.md")] == ["linked/c.md"]
    assert index_vault(config).deleted == ("linked/c.md",)


def test_a_note_whose_property_links_to_a_new_note_is_looked_at_again(config):
    (config.vault / "a.md").write_text("---\nup: '[[Home]]'\n---\nFlour.\n", encoding="utf-8")
    index_vault(config)
    (config.vault / "Home.md").write_text("Start.\n", encoding="utf-8")
    report = index_vault(config)
    assert (report.added, report.changed, report.unchanged) == (("Home.md",), ("a.md",), ("b.md",))


async def test_it_runs_beside_an_event_loop(config):
    seen = []
    report = await aindex_vault(config, progress=lambda done, total, path: seen.append((done, total)))
    assert report.added == ("a.md", "b.md")
    assert seen[-1] == (2, 2)


@pytest.mark.parametrize(
    "values",
    [
        {"splitter": {"chunk_size": 40, "chunk_overlap": 0}},
        {"splitter": {"max_chunk_size": 1001}},
        {"cleaning": {"full_width": True}},
        {"vault_options": {"comments": "keep"}},
    ],
)
def test_changed_settings_are_noticed_and_only_what_came_out_otherwise_is_embedded(config, values):
    (config.vault / "a.md").write_text("# Ｂread\n\nFlour. %%secret%%\n\n" + "Water. " * 300, encoding="utf-8")
    index_vault(config)
    changed = change(config, **values)
    expected = [chunk.page_content for note in ("a.md", "b.md") for chunk in split_note(changed, note)]
    before = {chunk.page_content for note in ("a.md", "b.md") for chunk in split_note(config, note)}
    report = index_vault(changed)
    assert report.chunks == len(expected)
    assert report.embedded == len(set(expected) - before)
    assert index_vault(changed).embedded == 0


class Cutter(TextSplitter):
    """A splitter whose code may be another one although nothing tells so, as a new version's is."""

    mark = ""

    def split_text(self, text):
        return [f"{self.mark}{line}" for line in text.splitlines() if line]


def install(folder, version):
    """Make another version of obsirag the one that is found first."""
    about = folder / f"obsirag-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "entry_points.txt").write_text(distribution("obsirag").read_text("entry_points.txt"))
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: obsirag\nVersion: {version}\n")


def test_another_version_of_obsirag_makes_notes_anew_and_embeds_what_comes_out_otherwise(config, tmp_path, monkeypatch):
    components = Components(embeddings=CountingEmbeddings(size=8), splitter=Cutter())
    index_vault(config, components=components)
    monkeypatch.setattr(Cutter, "mark", "new ")
    assert index_vault(config, components=components).changed == ()
    install(tmp_path / "installed", "99.1")
    monkeypatch.syspath_prepend(tmp_path / "installed")
    report = index_vault(config, components=components)
    assert (report.changed, report.embedded) == (("a.md", "b.md"), 4)
    assert all(text.startswith("new ") for text in components.embeddings.texts[-4:])
    assert index_vault(config, components=components).unchanged == ("a.md", "b.md")
    install(tmp_path / "installed later", "99.2")
    monkeypatch.syspath_prepend(tmp_path / "installed later")
    report = index_vault(config, components=components)
    assert (report.unchanged, report.embedded) == (("a.md", "b.md"), 0)


def test_another_embedding_model_is_an_error_until_a_rebuild_is_asked_for(config):
    index_vault(config)
    other = change(config, embeddings={"name": "hashing", "dimensions": 64})
    with pytest.raises(CatalogueError, match="full"):
        index_vault(other)
    assert index_vault(other, full=True).embedded == 2


def test_what_is_wrong_is_told_before_an_index_is_made(config, tmp_path):
    for wrong, error in [
        ({"vault": tmp_path / "nowhere"}, VaultError),
        ({"embeddings": "no-such-plugin"}, PluginError),
        ({"vector_store": "no-such-plugin"}, PluginError),
        ({"embeddings": {"name": "hashing", "dimension": 3}}, ConfigError),
    ]:
        with pytest.raises(error):
            index_vault(change(config, **wrong))
        assert not config.index.exists()


def test_a_chat_model_is_not_needed_to_index(config):
    broken = change(config, chat_model="no-such-plugin")
    assert index_vault(broken).added == ("a.md", "b.md")


def test_a_note_is_split_as_indexing_does(config):
    chunks = split_note(config, "a.md")
    assert "Flour and water." in chunks[-1].page_content
    assert len(chunks) + len(split_note(config, "b.md")) == index_vault(config).chunks
    with pytest.raises(VaultError, match=r"c\.md"):
        split_note(config, "c.md")


def test_chunks_of_a_note_that_cannot_be_read_are_one_clear_error(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "b.md").write_bytes(b"caf\xe9")
    config = RagConfig(vault=tmp_path / "notes", index=tmp_path / "index", embeddings="hashing")
    with pytest.raises(VaultError, match=r"b\.md.*undecodable"):
        split_note(config, "b.md")


@pytest.mark.parametrize(
    ("declared", "set_to", "expected"), [(None, None, 1), (3, None, 3), (3, 2, 2), ("many", None, 1)]
)
def test_as_many_calls_go_at_a_time_as_set_else_as_declared(config, declared, set_to, expected):
    class Declaring(DeterministicFakeEmbedding):
        concurrency: object = declared

    changed = change(config, indexing={"concurrency": set_to})
    with open_indexer(
        changed, Components(embeddings=Declaring(size=8)), lambda at: closing(Catalogue.open(at))
    ) as made:
        assert made.concurrency == expected
