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
