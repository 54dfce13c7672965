"""What LangChain's users and LangChain itself rely on in a text splitter."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import TextSplitter

from obsidian_texts import texts
from obsirag.splitters import ObsidianSplitter, RuleSplitter, SplitterRule

NOTE = "# Tea\n\n" + "Leaves and water. " * 40 + "\n\n## Green\n\n```sh\nboil\n```\n"

# What programs do with LangChain's splitter; one line makes them use the other.
USES = [
    """
    splitter = RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=20, length_function=len)
    found = [document.page_content for document in splitter.create_documents([NOTE])]
    """,
    """
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=300, chunk_overlap=20, length_function=len, is_separator_regex=False
    )
    found = splitter.split_text(NOTE)
    """,
    """
    splitter = RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=20, add_start_index=True)
    splits = splitter.split_documents([Document(NOTE, metadata={"source": "tea.md"})])
    assert all(NOTE.startswith(each.page_content, each.metadata["start_index"]) for each in splits)
    assert {each.metadata["source"] for each in splits} == {"tea.md"}
    found = [each.page_content for each in splits]
    """,
    """
    splitter = RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=20, keep_separator=True)
    found = [each.page_content for each in splitter.transform_documents([Document(NOTE)])]
    """,
    """
    documents = RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=20).create_documents(
        [NOTE, NOTE], metadatas=[{"source": "a", "page": 1}, {"source": "b", "page": 2}]
    )
    assert {(each.metadata["source"], each.metadata["page"]) for each in documents} == {("a", 1), ("b", 2)}
    found = [each.page_content for each in documents]
    """,
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    "imported",
    [
        "from langchain_text_splitters import RecursiveCharacterTextSplitter",
        "from obsirag import ObsidianSplitter as RecursiveCharacterTextSplitter",
    ],
)
def test_one_line_swaps_the_splitter(imported: str, use: str) -> None:
    names: dict[str, Any] = {"NOTE": NOTE, "Document": Document}
    exec("\n".join([imported, "if True:", use]), names)
    assert len(names["found"]) > 1
    assert all(len(each) <= 300 for each in names["found"])
    assert "# Tea" in names["found"][0]
    assert "boil" in names["found"][-1]


def test_it_is_a_text_splitter_with_every_public_method_of_the_base_class() -> None:
    splitter = ObsidianSplitter()
    assert isinstance(splitter, TextSplitter)
    for name in dir(TextSplitter):
        assert name.startswith("_") or callable(getattr(splitter, name))


async def test_all_ways_of_splitting_agree() -> None:
    splitter = ObsidianSplitter(chunk_size=300)
    document = Document(NOTE, metadata={"source": "tea.md"})
    chunks = splitter.split_documents([document])
    assert splitter.split_documents(iter([document])) == chunks
    assert splitter.create_documents([NOTE], [{"source": "tea.md"}]) == chunks
    assert splitter.transform_documents([document]) == chunks
    assert await splitter.atransform_documents([document]) == chunks
    assert splitter.split_text(NOTE) == [chunk.page_content for chunk in chunks]


@pytest.mark.parametrize("nothing", [[], [""], [" \n\t\n"], ["---\ntitle: a\n---\n"]])
def test_nothing_gives_no_chunks(nothing: list[str]) -> None:
    assert ObsidianSplitter().create_documents(nothing) == []
    assert ObsidianSplitter().create_documents(nothing, []) == []


def test_texts_and_metadata_may_come_from_iterators() -> None:
    given_texts, metadatas = ["# A\n\na", "# B\n\nb"], [{"source": "a.md"}, {"source": "b.md"}]
    splitter = ObsidianSplitter()
    assert splitter.create_documents(iter(given_texts)) == splitter.create_documents(given_texts)
    assert splitter.create_documents(iter(given_texts), iter(metadatas)) == splitter.create_documents(
        given_texts, metadatas
    )
    with pytest.raises(ValueError, match="1 metadata"):
        splitter.create_documents(iter(given_texts), iter(metadatas[:1]))


def test_a_single_text_is_not_taken_for_a_list_of_letters() -> None:
    with pytest.raises(TypeError, match=r"list of texts: write \[text\]"):
        ObsidianSplitter().create_documents(NOTE)


def test_chunks_share_nothing_that_can_be_changed_with_each_other_or_with_the_input() -> None:
    metadata = {"source": "a.md", "authors": ["x"], "tags": ["t"], "nested": {"a": [1]}, "set": {1, 2}}
    before = copy.deepcopy(metadata)
    document = Document(NOTE, metadata=metadata)
    chunks = ObsidianSplitter(chunk_size=100).split_documents([document, document])
    assert document == Document(NOTE, metadata=before)
    containers = [value for chunk in chunks for value in chunk.metadata.values() if not isinstance(value, str | int)]
    assert all(isinstance(value, list) for value in containers)
    assert len({id(value) for value in containers}) == len(containers)
    assert chunks[1].metadata["authors"] == ["x"]


def ids(chunks: list[Document]) -> list[str]:
    assert [chunk.id for chunk in chunks] == [chunk.metadata["chunk_id"] for chunk in chunks]
    return [chunk.metadata["chunk_id"] for chunk in chunks]


@given(
    st.lists(
        st.tuples(
            st.one_of(texts(), st.just("# A\n\na")),
            st.fixed_dictionaries({}, optional={"source": st.sampled_from("ab"), "page": st.integers(0, 2)}),
        ),
        max_size=6,
    )
)
def test_ids_of_one_call_are_distinct_and_links_lead_to_one_of_the_same_text(
    given_texts: list[tuple[str, dict[str, Any]]],
) -> None:
    chunks = ObsidianSplitter(chunk_size=20).split_documents(
        [Document(text, metadata={**metadata, "text": number}) for number, (text, metadata) in enumerate(given_texts)]
    )
    text_of = dict(zip(ids(chunks), [chunk.metadata["text"] for chunk in chunks], strict=True))
    assert len(text_of) == len(chunks)
    for chunk in chunks:
        assert {text_of[other] for other in chunk.metadata["linked_chunk_ids"]} <= {chunk.metadata["text"]}


@pytest.mark.parametrize("field", ["page", "row", "chunk_id"])
def test_parts_of_a_source_have_different_ids_in_different_calls_and_always_the_same(field: str) -> None:
    def split(part: int) -> list[str]:
        return ids(ObsidianSplitter().split_documents([Document("# A\n\na", metadata={"source": "a", field: part})]))

    assert split(1) == split(1)
    assert split(1) != split(2)


def test_an_id_depends_on_source_and_content_and_nothing_else() -> None:
    splitter = ObsidianSplitter(chunk_size=20, chunk_overlap=0)
    first = ids(splitter.create_documents(["# A\n\nOne text.\n\n# B\n\nAnother text."], [{"source": "a.md"}]))
    more = splitter.create_documents(["# New\n\nA new text.\n\n# A\n\nOne text."], [{"source": "a.md", "seen": "now"}])
    assert ids(more)[1] == first[0]
    assert ids(splitter.create_documents(["# A\n\nOne text."], [{"source": "b.md"}]))[0] != first[0]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_a_copy_splits_alike(again: Any) -> None:
    one = ObsidianSplitter(chunk_size=100, chunk_overlap=0.2, heading_separator=" / ")
    for splitter in (one, RuleSplitter(one, [SplitterRule(splitter=ObsidianSplitter(), paths=["*.md"])])):
        assert again(splitter).create_documents([NOTE]) == splitter.create_documents([NOTE])


def test_threads_may_share_it() -> None:
    splitter = ObsidianSplitter(chunk_size=100)
    with ThreadPoolExecutor(4) as pool:
        assert len(set(map(str, pool.map(splitter.create_documents, [[NOTE]] * 16)))) == 1


def test_a_subclass_may_set_and_add_what_it_likes() -> None:
    class Short(ObsidianSplitter):
        def __init__(self, **options: Any) -> None:
            super().__init__(**{"chunk_size": 100, **options})

        def split_documents(self, documents: Any) -> list[Document]:
            return [each for each in super().split_documents(documents) if not each.metadata["has_code"]]

    assert Short().split_text(NOTE) == ObsidianSplitter(chunk_size=100).split_text(NOTE)
    assert Short(chunk_size=200).split_text(NOTE) == ObsidianSplitter(chunk_size=200).split_text(NOTE)
    assert "boil" not in str(Short().transform_documents([Document(NOTE)]))


class FileLoader(BaseLoader):
    def __init__(self, *files: Path) -> None:
        self._files = files

    def lazy_load(self) -> Iterator[Document]:
        for file in self._files:
            yield Document(file.read_text("utf-8"), metadata={"source": str(file)})


def test_langchains_indexing_writes_only_what_changed(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.write_text("# A\n\n" + "One text. " * 30, "utf-8")
    other.write_text("# A\n\nOther text.\n", "utf-8")
    splitter = ObsidianSplitter(chunk_size=100)
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=4))
    records = InMemoryRecordManager("notes")
    records.create_schema()

    def run() -> dict[str, int]:
        chunks = FileLoader(one, other).load_and_split(splitter)
        done = index(chunks, records, store, cleanup="full", source_id_key="source", key_encoder="sha256")
        return {"chunks": len(chunks), **done}  # type: ignore[dict-item]

    first = run()
    assert first["num_added"] == first["chunks"] == len(store.store) > 2
    assert run() | {"chunks": 0} == {
        "chunks": 0, "num_added": 0, "num_updated": 0, "num_skipped": first["chunks"], "num_deleted": 0,
    }  # fmt: skip
    other.write_text("# A\n\nChanged text.\n", "utf-8")
    third = run()
    assert (third["num_added"], third["num_deleted"]) == (1, 1)


def test_small_chunks_found_lead_to_the_large_ones_they_were_cut_from() -> None:
    """The way of LangChain's retriever of parents: one splitter after the other, children stored, parents looked up."""
    note = "\n\n".join(f"## Part {number}\n\nSee also.\n\n" + "Leaves and water. " * 20 for number in range(3))
    pages = [Document(note, metadata={"source": "tea.pdf", "page": page}) for page in (1, 2)]
    parents, children = InMemoryStore(), InMemoryVectorStore(DeterministicFakeEmbedding(size=4))
    found: list[Document] = []
    for number, parent in enumerate(ObsidianSplitter(chunk_size=400, chunk_overlap=0).split_documents(pages)):
        parents.mset([(str(number), parent)])
        for child in ObsidianSplitter(chunk_size=100, chunk_overlap=0).split_documents([parent]):
            child.metadata["doc_id"] = str(number)
            found.append(child)
    children.add_documents(found)
    assert len(children.store) == len(found)  # no two have the same id
    for child in found:
        [parent] = parents.mget([child.metadata["doc_id"]])
        assert parent is not None
        assert child.page_content in parent.page_content
        assert child.metadata["page"] == parent.metadata["page"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda splitter: splitter.create_documents(["a", "b"], [{}]), "2 texts were given with 1 metadata"),
        (lambda splitter: splitter.create_documents([None]), "must be a string, not NoneType"),
        (lambda splitter: splitter.split_text(b"a"), "must be a string, not bytes"),
        (lambda splitter: splitter.split_documents(Document("a")), r"write \[document\]"),
    ],
)
def test_what_cannot_be_split_is_named(call: Callable[[ObsidianSplitter], object], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        call(ObsidianSplitter())


def test_no_metadata_at_all_may_be_given_in_any_way() -> None:
    splitter = ObsidianSplitter()
    assert (
        splitter.create_documents(["a"], ()) == splitter.create_documents(["a"], []) == splitter.create_documents(["a"])
    )
