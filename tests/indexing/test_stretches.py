import time

from langchain_text_splitters import CharacterTextSplitter

from obsirag.indexing.stretches import split_plainly
from obsirag.records import EmbedSpan, RenderedNote, Segment, permissions_from_json

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
