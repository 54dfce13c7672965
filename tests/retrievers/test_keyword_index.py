"""Keywords of an index beside the catalogue: kept in step, held against the catalogue, and done without if need be."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from index_worlds import World
from obsirag.catalogue import pending_vector_ids
from obsirag.errors import ConfigError, ServiceError
from obsirag.retrievers import HybridRetriever, KeywordIndexSearch, degraded_of, matches
from obsirag.text.tokens import index_terms, query_terms


class WordIndex:
    """An index of words in memory that counts as one on disk; its calls are steps at which a run may die."""

    persistent = True

    def __init__(self, world: World) -> None:
        self.world = world
        self.texts: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self.calls: list[str] = []
        self.fails = False
        self.listens = True

    def add(self, ids: Sequence[str], texts: Sequence[str], metadatas: Sequence[Mapping[str, Any]]) -> None:
        for each, text, metadata in zip(ids, texts, metadatas, strict=True):
            self._step("add")
            self.texts[each] = text, metadata

    def delete(self, ids: Iterable[str]) -> None:
        self._step("delete")
        for each in ids:
            self.texts.pop(each, None)

    def search(self, query: str, limit: int, *, filter: Mapping[str, Any] | None = None) -> list[tuple[str, float]]:  # noqa: A002
        self._step("search")
        wanted = set(query_terms(query))
        scores = {
            each: float(len(wanted & set(index_terms(text))))
            for each, (text, metadata) in self.texts.items()
            if not self.listens or matches(filter, metadata)
        }
        return sorted(((each, score) for each, score in scores.items() if score), key=lambda hit: -hit[1])[:limit]

    def ids(self) -> list[str]:
        return list(self.texts)

    def holding(self, ids: Sequence[str]) -> Collection[str]:
        return self.texts.keys() & set(ids)

    def _step(self, call: str) -> None:
        self.world.clock.tick()
        self.calls.append(call)
        if self.fails:
            raise ConnectionError("no such host")


class IndexedWorld(World):
    """A world with such an index."""

    def __init__(self, folder: Path, store: str = "kept", vault: Path | None = None) -> None:
        super().__init__(folder, store, vault)
        self.words = WordIndex(self)
        self.options = {"open_keywords": lambda: self.words, "settings": {"keyword_index": "words"}}

    def keywords(self) -> KeywordIndexSearch:
        return KeywordIndexSearch(self.catalogue, lambda: self.words, "words")

    def state(self) -> dict[str, Any]:
        return super().state() | {"words": dict(self.words.texts)}


@pytest.fixture
def world(tmp_path: Path) -> IndexedWorld:
    world = IndexedWorld(tmp_path)
    world.write("lion.md", "# 大猫\n\nlion fact")
    world.write("zebra.md", "zebra fact")
    world.write("secret.md", "---\npermission: zoo\n---\nlion secret")
    world.sync()
    return world


def found(search: KeywordIndexSearch, query: str, **options: Any) -> list[str]:
    return [document.metadata["source"] for document in search.search(query, **options)]


def test_it_holds_what_the_store_holds_with_the_names_above(world: IndexedWorld) -> None:
    assert world.words.texts.keys() == world.stored().keys()
    text, metadata = next(each for each in world.words.texts.values() if each[1]["source"] == "lion.md")
    assert text.splitlines() == ["大猫", "lion", "大猫", "# 大猫", "", "lion fact"]
    assert metadata.keys() == {"access", "source"}


def test_an_unchanged_vault_writes_nothing(world: IndexedWorld) -> None:
    world.words.calls.clear()
    world.sync()
    assert (world.words.calls, world.kept.writes) == ([], [])


def test_changes_renames_and_deletions_leave_nothing_behind(world: IndexedWorld, tmp_path: Path) -> None:
    world.write("lion.md", "lion news")
    world.rename("zebra.md", "horse.md")
    world.remove("secret.md")
    world.sync()
    fresh = IndexedWorld(tmp_path / "fresh", vault=world.vault)
    fresh.sync()
    assert world.state() == fresh.state()


@pytest.mark.parametrize("rebuild", [False, True])
def test_whenever_a_run_dies_the_next_one_makes_it_right(tmp_path: Path, rebuild: bool) -> None:
    chance = random.Random(3)
    last, died = 0, True
    while died:
        last += 2
        world = IndexedWorld(tmp_path / f"{last}")
        for name in "abc":
            world.write(f"{name}.md", f"words of {name}\n\n![[{chance.choice('abc')}]]")
        world.sync()
        world.write("a.md", "other words")
        world.rename("b.md", "d.md")
        died = world.sync_until(last, batch_size=2, rebuild=rebuild)
        world.sync()
        fresh = IndexedWorld(tmp_path / f"{last}-fresh", vault=world.vault)
        fresh.sync()
        assert world.state() == fresh.state()
        world.words.calls.clear()
        world.sync()
        assert (world.words.calls, world.kept.writes, world.embeddings.calls) == ([], [], [])
    assert last > 20


@pytest.mark.parametrize("full", [False, True])
def test_one_that_lost_its_texts_is_filled_again(world: IndexedWorld, full: bool) -> None:
    before = dict(world.words.texts)
    world.words.texts.clear()
    world.sync(full=full)
    assert world.words.texts == before
    assert world.embeddings.calls == ([["obsidian"]] if full else [])  # asked for the length of its vectors


def test_one_that_came_later_or_fell_behind_is_filled(world: IndexedWorld) -> None:
    without, world.options = world.options, {}
    world.write("new.md", "giraffe fact")
    world.remove("zebra.md")
    world.sync()
    assert found(world.keywords(), "giraffe") == ["new.md"]  # the catalogue finds it
    assert "search" not in world.words.calls
    world.options = without
    world.sync()
    assert world.words.texts.keys() == world.stored().keys()
    assert found(world.keywords(), "giraffe") == ["new.md"]
    assert world.words.calls[-1] == "search"


def test_one_that_cannot_be_had_leaves_it_to_the_catalogue_until_it_can(world: IndexedWorld) -> None:
    world.options["open_keywords"] = lambda: None
    world.options["settings"] = {"keyword_index": "words of another server"}
    world.sync()
    search = KeywordIndexSearch(world.catalogue, lambda: None, "words of another server")
    assert found(search, "lion") == ["lion.md"]
    now_there = KeywordIndexSearch(world.catalogue, lambda: world.words, "words of another server")
    world.words.texts.clear()
    assert found(now_there, "lion") == ["lion.md"]
    world.options["open_keywords"] = lambda: world.words
    world.sync(full=True)
    assert world.words.texts.keys() == world.stored().keys()
    world.words.calls.clear()
    again = KeywordIndexSearch(world.catalogue, lambda: world.words, "words of another server")
    assert (found(again, "lion"), world.words.calls) == (["lion.md"], ["search"])


def test_hits_are_those_of_the_index_with_its_scores(world: IndexedWorld) -> None:
    documents = world.keywords().search("lion fact 大猫")
    assert [(each.metadata["source"], each.metadata["keyword_score"]) for each in documents] == [
        ("lion.md", 3.0),
        ("zebra.md", 1.0),
    ]
    assert documents[0].metadata["headings"] == ["大猫"]
    assert found(world.keywords(), "lion fact", limit=1) == ["lion.md"]
    assert found(world.keywords(), "  ") == found(world.keywords(), "elephant") == []


@pytest.mark.parametrize("listens", [True, False])
def test_nobody_finds_what_they_may_not_read_or_did_not_ask_for(world: IndexedWorld, listens: bool) -> None:
    world.words.listens = listens
    assert found(world.keywords(), "lion") == ["lion.md"]
    assert sorted(found(world.keywords(), "lion", labels=["zoo"])) == ["lion.md", "secret.md"]
    assert found(world.keywords(), "fact", filter={"source": "zebra.md"}) == ["zebra.md"]
    assert found(world.keywords(), "fact", filter={"source": "zebra.md"}, limit=1) == ["zebra.md"]


def test_half_written_versions_are_invisible(world: IndexedWorld) -> None:
    for number in range(10):
        world.words.texts[f"dead {number}"] = "lion lion fact 大猫", {"access": "", "source": "lion.md"}
    assert found(world.keywords(), "lion fact 大猫", limit=2) == ["lion.md", "zebra.md"]


def test_one_that_fails_is_done_without_and_told(world: IndexedWorld) -> None:
    world.words.fails = True
    result = HybridRetriever(keywords=world.keywords(), vectors=world.vectors()).search("lion")
    assert result.degraded == ("keyword_index",)
    assert result.documents[0].metadata["source"] == "lion.md"
    assert "degraded" not in result.documents[0].metadata
    world.kept.similarity_search_by_vector = None  # type: ignore[method-assign, assignment]
    both = HybridRetriever(keywords=world.keywords(), vectors=world.vectors()).search("lion")
    assert (both.degraded, both.documents[0].metadata["source"]) == (("vector_store", "keyword_index"), "lion.md")
    world.words.fails = False
    del world.kept.similarity_search_by_vector
    assert HybridRetriever(keywords=world.keywords(), vectors=world.vectors()).search("lion").degraded == ()


def test_while_it_fails_nothing_is_published_and_the_next_run_mends(world: IndexedWorld, tmp_path: Path) -> None:
    world.words.fails = True
    world.write("lion.md", "lion news")
    report = world.sync()
    assert [(each.path, each.code) for each in report.failed] == [("lion.md", "store-failed")]
    assert "keyword index failed to write" in report.failed[0].message
    world.words.fails = False
    world.sync()
    fresh = IndexedWorld(tmp_path / "fresh", vault=world.vault)
    fresh.sync()
    assert world.state() == fresh.state()
    with world.catalogue.reading() as connection:
        assert pending_vector_ids(connection) == []


def test_one_that_keeps_nothing_is_filled_as_it_is_opened(world: IndexedWorld) -> None:
    class Passing(WordIndex):
        persistent = False

    opened: list[WordIndex] = []
    world.options["open_keywords"] = lambda: Passing(world)
    world.options["settings"] = {"keyword_index": "passing"}
    world.sync()
    search = KeywordIndexSearch(world.catalogue, lambda: opened.append(Passing(world)) or opened[-1], "passing")
    assert found(search, "lion") == ["lion.md"]
    assert opened[0].texts.keys() == world.words.texts.keys()


@pytest.mark.parametrize("answer", [[("x",)], [("x", float("nan"))], [("x", "much")], None])
def test_nonsense_is_a_failure(world: IndexedWorld, answer: Any) -> None:
    world.words.search = lambda *_, **__: answer  # type: ignore[method-assign]
    documents = world.keywords().search("lion")
    assert (degraded_of(documents), len(documents)) == (("keyword_index",), 1)


def test_what_nobody_can_read_is_the_callers_fault(world: IndexedWorld) -> None:
    with pytest.raises(ConfigError):
        world.keywords().search("lion", filter={"$x": 1})
    with pytest.raises(ConfigError):
        world.keywords().search(3)  # type: ignore[arg-type]
    world.words.fails = True
    with pytest.raises(ConfigError):
        world.keywords().search("lion", filter={"$x": 1})


def test_one_that_is_out_of_reach_as_a_run_begins_is_an_error(world: IndexedWorld) -> None:
    def refuse(_: Any) -> Any:
        raise ConnectionError

    world.words.holding = refuse  # type: ignore[method-assign]
    with pytest.raises(ServiceError, match="The keyword index failed: ConnectionError"):
        world.sync()


def test_that_the_index_failed_is_told_where_nothing_is_found_either(world: IndexedWorld) -> None:
    world.words.fails = True
    result = HybridRetriever(keywords=world.keywords()).search("zzzzz")
    assert (result.degraded, result.documents) == (("keyword_index",), [])
