from obsirag.config import RetrievalOptions
from obsirag.graphs.nodes.fuse import FuseNode


def test_the_order_of_the_searches_does_not_matter(make_chunk):
    a, b, c = (make_chunk(name, source=f"{name}.md") for name in "abc")
    fuse = FuseNode(RetrievalOptions(), 2)
    one = fuse({"rankings": {"vector_search": [a, b], "keyword_search": [b, c]}})
    other = fuse({"rankings": {"keyword_search": [b, c], "vector_search": [a, b]}})
    assert one == other
    assert [document.page_content for document in one["evidence"]] == ["b", "a"]


def test_nothing_found_gives_nothing():
    fuse = FuseNode(RetrievalOptions(), 5)
    assert fuse({"rankings": {}}) == fuse({"rankings": {"vector_search": []}}) == {"evidence": []}


def test_what_is_not_in_the_index_any_more_goes_but_pages_of_the_web_stay(make_chunk):
    old, new, page = (make_chunk(name, source=f"{name}.md") for name in ("old", "new", "page"))
    fuse = FuseNode(
        RetrievalOptions(), 5, lambda rankings: [[each for each in hits if each is not old] for hits in rankings]
    )
    rankings = {"vector_search": [old, new], "keyword_search": [old], "web_search": [page]}
    assert {each.page_content for each in fuse({"rankings": rankings})["evidence"]} == {"new", "page"}
