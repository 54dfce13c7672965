import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.web.addresses import DomainLists, host_of, normal_url

LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
DOMAIN = st.lists(LABEL, min_size=1, max_size=3).map(lambda labels: ".".join([*labels, "org"]))


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("https://example.org:443/a?b=c#part", "https://example.org/a?b=c"),
        ("http://example.org:8080/", "http://example.org:8080/"),
        ("https://example.org./a", "https://example.org/a"),
        ("https://bücher.example/straße?q=ü", "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%BC"),
        ("https://example.org/%C3%9F", "https://example.org/%C3%9F"),
        ('https://example.org/"><script>', "https://example.org/%22%3E%3Cscript%3E"),
        ("  https://example.org/a  ", "https://example.org/a"),
    ],
)
def test_a_page_has_one_address(written, normal):
    assert normal_url(written) == normal


@pytest.mark.parametrize(
    "text",
    ["", "example.org", "//example.org/", "ftp://example.org/", "javascript:alert(1)", "file:///etc/passwd", "data:,x",
     "https://", "https:///path", "https://user:word@example.org/", "https://example.org@evil.org/", "https://[::1]/",
     "https://exa mple.org/", "https://example.org/a b", "https://example.org/\n", "https://evil.org\\@example.org/",
     "https://example.org:99999/", "https://example.org:port/", "https://1.2.3/", "https://\ud800.org/", "https://[x/",
     "https://example.org/\ud800", "https://example.org/" + "a" * 2000],
)  # fmt: skip
def test_what_is_no_address_of_a_page_is_none(text):
    assert normal_url(text + "x" if text.endswith("\n") else text) is None


@given(st.text(max_size=40) | st.text(max_size=30).map(lambda text: f"https://example.org/{text}"))
def test_an_address_is_its_own_address(text):
    url = normal_url(text)
    assert url is None or (normal_url(url) == url and url.isascii() and "#" not in url)


@given(DOMAIN, st.lists(LABEL, max_size=2))
def test_a_domain_stands_for_its_subdomains(domain, below):
    url = normal_url(f"https://{'.'.join([*below, domain])}/page")
    assert DomainLists.of([domain.upper()], []).admits(url)
    assert not DomainLists.of([], [f"*.{domain}"]).admits(url)
    assert not DomainLists.of([domain], [domain]).admits(url)


@given(DOMAIN, LABEL, LABEL)
def test_a_domain_stands_for_no_other(domain, before, after):
    lists = DomainLists.of([domain], [])
    for host in (f"{before}{domain}", f"{before}-{domain}", f"{domain}.{after}.net"):
        url = normal_url(f"https://{host}/{domain}?{domain}")
        assert url is None or not lists.admits(url)
    parent = domain.partition(".")[2]
    assert not lists.admits(f"https://{parent}/")


def test_other_alphabets_are_compared_too():
    lists = DomainLists.of(["Bücher.example"], [])
    assert lists.admits(normal_url("https://www.xn--bcher-kva.example/"))
    assert lists.admits(normal_url("https://BÜCHER.example/"))
    assert not lists.admits(normal_url("https://bucher.example/"))


def test_without_lists_every_page_is_admitted():
    assert DomainLists().admits("https://example.org/")
    assert host_of("https://example.org:8080/a") == "example.org"


def test_what_is_no_domain_is_an_error():
    with pytest.raises(ValueError, match=r"a domain such as example\.org"):
        DomainLists.of(["https://example.org/"], [])
