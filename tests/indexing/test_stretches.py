import time
from pathlib import Path

from langchain_core.documents import Document
from langchain_text_splitters import CharacterTextSplitter

from index_worlds import World
from obsirag.indexing.stretches import split_plainly
from obsirag.records import EmbedSpan, RenderedNote, Segment, permissions_from_json
from obsirag.retrievers import ParentExpansion

BOSS = (("boss",),)
BOTH = (("boss",), ("hr",))


def test_text_under_different_labels_never_shares_a_chunk() -> None:
    text = "public one. secret. most secret. secret again. public two."
    secret, most = text.index("secret"), text.index("most")
    rendered = RenderedNote(
        "a.md",
        text,
        segments=[Segment(0, "a.md", 1)],
        embeds=[
            EmbedSpan(secret, text.index("public two"), "b.md", 1, BOSS),
            EmbedSpan(most, text.index("secret again"), "c.md", 1, BOTH),
        ],
    )
    splitter = CharacterTextSplitter(separator="|", chunk_size=1000, chunk_overlap=0)
    documents = split_plainly(rendered, splitter)
    assert [(each.page_content.strip(), permissions_from_json(each.metadata["permissions"])) for each in documents] == [
        ("public one.", ()),
        ("secret.", BOSS),
        ("most secret.", BOTH),
        ("secret again.", BOSS),
        ("public two.", ()),
    ]


def test_an_empty_note_has_no_chunks() -> None:
    rendered = RenderedNote("a.md", "", segments=[Segment(0, "a.md", 1)])
    assert split_plainly(rendered, CharacterTextSplitter()) == []


def test_many_embeds_cost_little_more_than_few() -> None:
    def seconds(count: int) -> float:
        embeds = [EmbedSpan(2 * n, 2 * n + 1, "b.md", 1, (BOSS, BOTH)[n % 2]) for n in range(count)]
        rendered = RenderedNote("a.md", "x " * count, segments=[Segment(0, "a.md", 1)], embeds=embeds)
        splitter = CharacterTextSplitter(chunk_size=1000, chunk_overlap=0)
        begun = time.process_time()
        assert len(split_plainly(rendered, splitter)) == count
        return time.process_time() - begun

    assert seconds(8000) < 30 * max(seconds(800), 0.02)  # ten times as many; by pairs, it would be a hundred


class Numbering(CharacterTextSplitter):
    """Gives ids that begin anew in each note, some twice."""

    def split_note(self, rendered: RenderedNote) -> list[Document]:
        return [
            Document(page_content=text, metadata={"chunk_id": number // 2, "parent_id": "all"})
            for number, text in enumerate(rendered.text.split("\n\n"))
        ]

    def split_parents(self, rendered: RenderedNote) -> list[Document]:
        return [Document(page_content=rendered.text, metadata={"parent_id": "all"})]


def test_ids_of_another_splitter_are_kept_apart_by_note(tmp_path: Path) -> None:
    world = World(tmp_path, "memory")
    world.options = {"splitter": Numbering()}
    for name in "ab":
        world.write(f"{name}.md", f"fact one of {name}\n\nfact two of {name}\n\nfact three of {name}")
    world.sync()
    retriever = world.retriever()
    found = retriever.search("fact").documents
    assert sorted(each.metadata["source"] for each in found) == ["a.md"] * 3 + ["b.md"] * 3
    assert len({each.metadata["chunk_id"] for each in found}) == 6
    sections = ParentExpansion(world.catalogue, 1000).expand(found)
    assert sorted(each.page_content[:13] for each in sections) == ["fact one of a", "fact one of b"]
