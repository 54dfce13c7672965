import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.config import RagConfig, WebSearchOptions, normal_domain
from obsirag.errors import ConfigError


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Example.ORG", "example.org"),
        ("*.example.org", "example.org"),
        (".example.org", "example.org"),
        ("example.org.", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("faß.example", "xn--fa-hia.example"),  # not the domain fass.example
        ("例子。中国", "xn--fsqu00a.xn--fiqs8s"),
        ("ｅｘａｍｐｌｅ．org", "example.org"),
        ("exam\u00adple.org", "example.org"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_a_domain_has_one_spelling(written, normal):
    assert normal_domain(written) == normal


@pytest.mark.parametrize(
    "text",
    ["", " ", ".", "a..b", "https://example.org", "example.org/path", "example.org:80", "a b", "-a.org", "1.2.3", "*",
     "1.2.3.400", "::1", "a" * 64, ".".join(["abcdefgh"] * 32), "user@example.org"],
)  # fmt: skip
def test_what_is_no_domain_is_an_error(text):
    with pytest.raises(ValueError):
        normal_domain(text)


@given(st.text(max_size=20))
def test_a_spelling_is_its_own_spelling(text):
    try:
        normal = normal_domain(text)
    except ValueError:
        return
    assert normal_domain(normal) == normal
    assert normal.isascii()


def test_options_hold_domains_in_their_spelling():
    options = WebSearchOptions(allow_domains=["*.Example.org"], block_domains=["Bücher.example"])
    assert options.allow_domains == ("example.org",)
    assert options.block_domains == ("xn--bcher-kva.example",)


def test_the_message_names_the_place():
    web_search = {"block_domains": ["a.org", "https://b.org"], "mode": "fallbck"}
    with pytest.raises(ConfigError) as caught:
        RagConfig(vault="notes", index="index", web_search=web_search)
    assert "`web_search.block_domains.1`: must be a domain such as example.org" in str(caught.value)
    assert "did you mean `fallback`?" in str(caught.value)
