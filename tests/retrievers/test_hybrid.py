from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_worlds import World
from obsirag.errors import ConfigError, ServiceError
from obsirag.records import may_read
from obsirag.retrievers import HybridRetriever, SearchError


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, "memory")
    for name in ("cat", "dog", "car"):
        world.write(f"{name}.md", f"a note on the {name}\n\n# More\n\n" + f"{name} words here. " * 60)
    world.sync()
    return world


def test_documents_come_whole_with_all_their_scores(world: World) -> None:
    documents = world.retriever().invoke("cat")
    first = documents[0]
    assert first.metadata["source"] == "cat.md"
    assert first.id == first.metadata["chunk_id"]
    assert first.metadata["score"] == first.metadata["fusion_score"]
    assert {"vector_score", "keyword_score", "headings", "start_line", "places", "tags"} <= first.metadata.keys()
    assert "degraded" not in first.metadata


def test_limit_counts_documents_and_chunks_are_bounded(world: World) -> None:
    documents = world.retriever(limit=2, chunks_per_document=1).invoke("cat dog car words")
    assert len({document.metadata["source"] for document in documents}) == len(documents) == 2


def test_weight_zero_leaves_vectors_out(world: World) -> None:
    documents = world.retriever(weights=(0, 1)).invoke("dog")
    assert {document.metadata["source"] for document in documents} == {"dog.md"}


async def test_async_finds_the_same(world: World) -> None:
    retriever = world.retriever()
    assert await retriever.ainvoke("dog words") == retriever.invoke("dog words")


def test_without_vectors_words_answer(world: World) -> None:
    result = HybridRetriever(keywords=world.keywords()).search("dog")
    assert ({document.metadata["source"] for document in result.documents}, result.degraded) == ({"dog.md"}, ())


@pytest.mark.parametrize("part", ["embeddings", "vector_store"])
async def test_if_vectors_fail_words_answer_and_say_so(
    world: World, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise ConnectionError("secret")

    retriever = world.retriever()
    if part == "embeddings":
        monkeypatch.setattr(world.embeddings, "embed_query", fail)
    else:
        monkeypatch.setattr(retriever.vectors, "_open_store", fail)
    for result in (retriever.search("dog"), await retriever.asearch("dog")):
        assert result.degraded == (part,)
        assert {document.metadata["source"] for document in result.documents} == {"dog.md"}
    assert retriever.invoke("dog")[0].metadata["degraded"] == [part]


async def test_if_the_words_cannot_be_searched_vectors_answer_and_say_so(world: World) -> None:
    retriever = world.retriever()
    with world.catalogue.writing() as connection:
        connection.execute("DROP TABLE terms")
    for result in (retriever.search("dog words"), await retriever.asearch("dog words")):
        assert result.degraded == ("keyword_search",)
        assert result.documents[0].metadata["source"] == "dog.md"
    assert retriever.invoke("dog")[0].metadata["degraded"] == ["keyword_search"]
    with pytest.raises(SearchError) as failure:
        HybridRetriever(keywords=world.keywords()).invoke("dog")
    assert failure.value.part == "keyword_search"


async def test_one_string_is_one_label(world: World) -> None:
    world.write("secret.md", "---\npermission: leads\n---\nsecret words")
    world.sync()
    retriever = world.retriever()
    for labels in ("leads", ["leads"], ("leads",), {"leads"}, iter(["leads"])):
        assert retriever.invoke("secret words", labels=labels)[0].metadata["source"] == "secret.md"
    for labels in (None, "", (), "s"):
        found = await retriever.ainvoke("secret words", labels=labels)
        assert "secret.md" not in {document.metadata["source"] for document in found}
    with pytest.raises(ConfigError, match="Labels"):
        retriever.invoke("secret words", labels=7)


def test_if_both_fail_it_is_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise ConnectionError

    retriever = world.retriever()
    monkeypatch.setattr(world.embeddings, "embed_query", fail)
    with world.catalogue.writing() as connection:
        connection.execute("DROP TABLE terms")
    with pytest.raises(ServiceError):
        retriever.search("dog")


@pytest.mark.parametrize("query", [None, 3, b"dog", ["dog"]])
async def test_a_query_is_text(world: World, query: Any) -> None:
    retriever = world.retriever()
    for ask in (retriever.invoke, retriever.search, world.keywords().search, world.vectors().search):
        with pytest.raises(ConfigError, match="query"):
            ask(query)
    with pytest.raises(ConfigError, match="query"):
        await retriever.asearch(query)


@pytest.mark.parametrize("often", [1, 1000])
@pytest.mark.parametrize("part", ["vectors", "keywords"])
async def test_both_rankings_come_from_one_state_of_the_index(
    world: World, part: str, often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def publish(number: int) -> None:
        for name in ("cat", "dog"):
            world.write(f"{name}.md", f"# One\n\nedition{number} of words\n\n# Two\n\nmore edition{number} words")
        world.sync()

    publish(0)
    numbers = iter(range(1, 100))
    retriever = world.retriever(chunks_per_document=9)
    search: Any = getattr(retriever, part)
    method = "search_by_vector" if part == "vectors" else "search"
    once: Any = getattr(search, method)
    moved: list[int] = []

    def publishing(*arguments: Any, **options: Any) -> Any:
        found = once(*arguments, **options) if part == "vectors" else None
        if len(moved) < often:
            moved.append(next(numbers))
            publish(moved[-1])
        return found if part == "vectors" else once(*arguments, **options)

    monkeypatch.setattr(search, method, publishing)
    for asked_async in (False, True):
        moved.clear()
        query = "edition words of more"
        result = await retriever.asearch(query) if asked_async else retriever.search(query)
        texts = [each.page_content for each in result.documents if "edition" in each.page_content]
        assert texts
        assert all(f"edition{moved[-1]} " in text for text in texts)
        assert result.degraded == ()


async def test_a_query_is_embedded_once_however_often_the_index_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    embed = world.embeddings.embed_query

    def counting(text: str) -> Any:
        asked.append(text)
        return embed(text)

    monkeypatch.setattr(world.embeddings, "embed_query", counting)
    retriever = world.retriever()
    search = retriever.keywords.search

    def publishing(*arguments: Any, **options: Any) -> Any:
        world.write("dog.md", f"dog {len(published)}")
        world.sync()
        published.append(1)
        return search(*arguments, **options)

    published: list[int] = []
    monkeypatch.setattr(retriever.keywords, "search", publishing)
    assert retriever.search("dog").documents
    assert (len(asked), len(published)) == (1, 3)


labels = st.sampled_from(["boss", "hr", "dev"])
label_sets = st.lists(labels, max_size=2, unique=True)


@settings(max_examples=40)
@given(
    st.lists(label_sets, min_size=4, max_size=4), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=5)
)
def test_nobody_gets_what_they_may_not_read(permissions: list[list[str]], embeds: list[tuple[int, int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name), "memory")
        words = [f"codeword{number}" for number in range(4)]
        for number, wanted in enumerate(permissions):
            pasted = "\n\n".join(f"![[n{other}]]" for host, other in embeds if host == number)
            front = f"---\npermissions: [{', '.join(wanted)}]\n---\n" if wanted else ""
            world.write(f"n{number}.md", f"{front}about {words[number]}\n\n{pasted}\n\nend of {words[number]}\n")
        world.sync()
        retriever = world.retriever(limit=50, chunks_per_document=50)
        for held in ([], ["boss"], ["hr", "dev"], ["boss", "hr", "dev"], ["unknown"]):
            hidden = [
                word for word, wanted in zip(words, permissions, strict=True) if wanted and not set(wanted) & set(held)
            ]
            for query in ("about end", *words):
                result = retriever.search(query, labels=held)
                for filtered in (result, retriever.search(query, labels=held, filter={"source": "n1.md"})):
                    for document in filtered.documents:
                        assert not any(word in repr(document) for word in hidden)
        for number, wanted in enumerate(permissions):
            if may_read([wanted] if wanted else [], wanted):
                found = retriever.search(words[number], labels=["boss", "hr", "dev"]).documents
                assert any(words[number] in document.page_content for document in found)
        world.catalogue.close()


def test_what_is_replaced_again_and_again_is_still_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    retriever = world.retriever()
    search = retriever.keywords.search
    round_ = 0

    def search_before_a_change(*given: Any, **options: Any) -> Any:
        nonlocal round_
        found = search(*given, **options)
        round_ += 1
        for name in ("cat", "dog", "car"):
            world.write(f"{name}.md", f"a note on the {name}, edition {round_}")
        world.sync()
        return found

    monkeypatch.setattr(retriever.keywords, "search", search_before_a_change)
    result = retriever.search("note cat")
    assert result.documents[0].metadata["source"] == "cat.md"
    assert len({each.page_content.partition("edition")[2] for each in result.documents}) == 1
