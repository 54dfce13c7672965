from obsirag.config import RetrievalOptions
from obsirag.graphs.nodes.fuse import FuseNode


def test_the_order_of_the_searches_does_not_matter(make_chunk):
    a, b, c = (make_chunk(name, source=f"{name}.md") for name in "abc")
    fuse = FuseNode(RetrievalOptions(limit=2))
    one = fuse({"rankings": {"vector_search": [a, b], "keyword_search": [b, c]}})
    other = fuse({"rankings": {"keyword_search": [b, c], "vector_search": [a, b]}})
    assert one == other
    assert [document.page_content for document in one["evidence"]] == ["b", "a"]


def test_nothing_found_gives_nothing():
    fuse = FuseNode(RetrievalOptions())
    assert fuse({"rankings": {}}) == fuse({"rankings": {"vector_search": []}}) == {"evidence": []}
