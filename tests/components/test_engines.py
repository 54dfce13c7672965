"""Which engine a configuration gives, and what a worker makes of its job; without Ray."""

import pickle

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag import Components, RagConfig
from obsirag.catalogue import Catalogue
from obsirag.components import build_components, engines
from obsirag.components.engines import open_engine
from obsirag.components.index import open_indexer
from obsirag.components.ray_worker import Job, Worker, describe_making
from obsirag.errors import ConfigError, MissingExtraError
from obsirag.indexing import LocalEngine
from obsirag.vault import Vault
from obsirag.vault.sharing import listing_of, use_listing

KINDS = ("embeddings", "splitter", "cleaner")


@pytest.fixture
def make(tmp_path, sample_vault):
    def config(indexing=None, **more):
        settings = {"vault": sample_vault, "index": tmp_path / "index", "embeddings": "hashing"}
        return RagConfig(**(settings | {"vector_store": "memory", "indexing": indexing or {}} | more))

    return config


def test_notes_are_read_in_this_process_unless_told_otherwise(make):
    with open_engine(make(), Components(), 1) as engine:
        assert isinstance(engine, LocalEngine)


def test_ray_that_is_not_installed_is_told_before_anything_is_made(make, monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with (
        pytest.raises(MissingExtraError, match=r"obsirag\[ray\]"),
        open_indexer(make({"engine": "ray"}), None, Catalogue.open),
    ):
        pass
    assert not (tmp_path / "index").exists()


def test_offline_the_notes_stay_on_this_machine(make):
    config = make({"engine": "ray", "address": "head.example:6379"}, offline=True)
    with pytest.raises(ConfigError, match=r"indexing\.address"), open_engine(config, Components(), 1):
        pass


@pytest.mark.parametrize(
    ("indexing", "processes"), [({}, 1), ({"workers": 5}, 1), ({"engine": "ray", "workers": 5}, 5)]
)
def test_workers_count_with_ray_only(make, indexing, processes):
    assert make(indexing).indexing.processes == processes


def test_a_worker_with_the_same_parts_is_ready_and_one_with_others_says_which(make):
    config = make()
    parts = build_components(config, kinds=KINDS)
    made_with = describe_making(config, parts)
    assert Worker(Job(config, made_with)).start().cause == ""
    other = Worker(Job(make(splitter={"chunk_size": 300}), made_with | {"obsirag": "0"})).start()
    assert other.is_unfit
    assert "its obsirag and splitter would come out otherwise" in other.cause
    ready = build_components(config, Components(embeddings=DeterministicFakeEmbedding(size=8)), kinds=KINDS)
    assert "given ready in Python" in Worker(Job(config, describe_making(config, ready))).start().cause


def test_a_worker_without_the_vault_or_its_key_says_what_is_missing(make, tmp_path, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    assert f"{tmp_path / 'gone'} does not exist" in Worker(Job(make(vault=tmp_path / "gone"), {})).start().cause
    part = {"name": "openai", "model": "m", "api_key": {"env": "NO_SUCH_KEY"}}
    assert "NO_SUCH_KEY, which is not set" in Worker(Job(make(embeddings=part), {})).start().cause


def test_a_job_takes_the_name_of_a_secret_along_and_not_its_value(make, monkeypatch):
    monkeypatch.setenv("A_KEY", "very secret")
    part = {"name": "openai", "model": "m", "api_key": {"env": "A_KEY"}}
    config = make(embeddings=part)
    sent = pickle.dumps(Job(config, describe_making(config, build_components(config, kinds=KINDS))))
    assert b"A_KEY" in sent
    assert b"very secret" not in sent


def test_a_worker_answers_an_error_as_a_text_without_what_it_was_given(make, monkeypatch):
    config = make()
    worker = Worker(Job(config, {}))
    assert len(worker.embed(["secret words"]).value[0]) == 1024
    failing = DeterministicFakeEmbedding(size=8)
    monkeypatch.setattr(
        type(failing), "embed_documents", lambda self, texts: exec("raise ValueError(texts)", {"texts": texts})
    )
    worker._parts = Components(embeddings=failing)
    reply = worker.embed(["secret words"])
    assert "ValueError" in reply.cause
    assert "secret" not in reply.cause


def test_a_listing_can_be_sent_and_another_vault_goes_by_it(tmp_path):
    (tmp_path / "a.md").write_text("---\naliases: [other]\n---\n[[other]] ![[b]]\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("Words.\n", encoding="utf-8")
    vault = Vault(tmp_path)
    paths, rendered = vault.paths(), vault.render("a.md")
    sent = Vault(tmp_path)
    sent.paths()
    listing = pickle.loads(pickle.dumps(listing_of(vault)))
    (tmp_path / "c.md").write_text("Later.\n", encoding="utf-8")
    use_listing(sent, listing)
    assert sent.render("a.md") == rendered
    assert sent.stat("b.md").st_size == 7
    assert len(paths) == 2
    with pytest.raises(Exception, match="no note"):
        sent.render("c.md")
