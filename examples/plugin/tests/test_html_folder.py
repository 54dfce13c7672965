import pytest

from obsirag.errors import ConfigError
from obsirag_shelf.html_folder import hosts, search_provider

SITE = "https://handbook.example.org"
PAGE = "<html><head><title>{0}</title><style>.tea {{}}</style></head><body><h1>{0}</h1><p>{1}</p></body></html>"


@pytest.fixture
def provider(tmp_path):
    site = tmp_path / "site"
    (site / "deep").mkdir(parents=True)
    (site / "tea.html").write_text(PAGE.format("Tea", "Green tea is made with water of 80 degrees."))
    (site / "deep" / "a b.html").write_text(PAGE.format("Coffee", "Coffee is ground, and made with hot water."))
    (site / "deep" / "茶.html").write_text(PAGE.format("茶", "绿茶用八十度的水。"), encoding="utf-8")
    (tmp_path / "outside.html").write_text(PAGE.format("Tea", "The tea of others."))
    (site / "link.html").symlink_to(tmp_path / "outside.html")
    return search_provider({"folder": str(site), "address": SITE})


def test_the_page_with_most_of_the_words_comes_first(provider):
    hits = provider.search("How hot is water for green tea?", limit=5)
    assert [hit.url for hit in hits] == [f"{SITE}/tea.html", f"{SITE}/deep/a%20b.html"]
    assert hits[0].title == "Tea"
    assert "80 degrees" in hits[0].snippet
    assert provider.search("How hot is water for green tea?", limit=1) == hits[:1]


def test_chinese_is_found_by_its_characters(provider):
    assert provider.search("绿茶要多少度?", limit=5)[0].title == "茶"


@pytest.mark.parametrize("query", ["", "?", "style", "others"])
def test_what_is_nowhere_or_isnt_seen_is_not_found(provider, query):
    assert provider.search(query, limit=5) == []


def test_the_pages_that_are_found_can_be_read_and_no_others(provider):
    urls = [hit.url for hit in provider.search("tea water 茶", limit=5)]
    assert [page.url for page in provider.extract(urls)] == urls
    others = [f"{SITE}/link.html", f"{SITE}/../outside.html", "https://other.example/tea.html", SITE, ""]
    assert provider.extract(others) == []


@pytest.mark.parametrize(
    "options", [{}, {"folder": "/nowhere-at-all", "address": SITE}, {"folder": ".", "address": "x"}]
)
def test_a_wrong_option_is_refused(options):
    with pytest.raises(ConfigError, match=r"search_provider \(html-folder\)"):
        search_provider(options)


def test_it_calls_nobody():
    assert hosts() == []
