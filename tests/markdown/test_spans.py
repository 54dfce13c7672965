from __future__ import annotations

import pytest

from obsirag.markdown import comment_spans, inline_spans, literal_spans


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("a `b` c ``d ` e``", ["`b`", "``d ` e``"]),
        ("a ` b\n\nc ` d", []),
        (r"\`a` b`", ["` b`"]),
        ("$x_1$ costs $5 and $6", ["$x_1$"]),
        ("$[[i]]$ and $$a\nb$$", ["$[[i]]$", "$$a\nb$$"]),
        ("- a\n  ```\n  # `x`\n  ```\n- `y`", ["```\n  # `x`\n  ```", "`y`"]),
        ("> ~~~\n> a\n> ~~~\n> `b`", ["~~~\n> a\n> ~~~", "`b`"]),
        ("text\n\n    code `x`\n", ["    code `x`"]),
        ("- a\n\n      code\n", ["code"]),
        ("| `a` | $b$ |\n|---|---|", ["`a`", "$b$"]),
        ("%% `a` %% `b`", ["`b`"]),
    ],
)
def test_literal_text(text: str, literal: list[str]) -> None:
    assert [text[start:end] for start, end in literal_spans(text)] == literal


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("a %% b %% c", ["%% b %%"]),
        ("%%\nb\n\n# c\n%%\nd", ["%%\nb\n\n# c\n%%"]),
        ("`100%% sure` and %%x%%", ["%%x%%"]),
        ("```\n50%%\n```\n%%x%%", ["%%x%%"]),
        ("a %% b\n\nnever closed", []),
        ("- a %% b\n  c %% d\n- e", ["%% b\n  c %%"]),
        ("> %% a %%\n\n%% b %%", ["%% a %%", "%% b %%"]),
        ("$50%%$ %%a%%", ["%%a%%"]),
        ("a %% `b %% c` d", ["%% `b %%"]),
    ],
)
def test_comments(text: str, comments: list[str]) -> None:
    assert [text[start:end] for start, end in comment_spans(text)] == comments


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a [b](c d.md) [b c](d) [[e f|g]] ![[h]]", ["[b c](d)", "[[e f|g]]", "![[h]]"]),
        ("**a b** ==c d== ~~e~~ __f g__ *h*", ["**a b**", "==c d==", "~~e~~", "__f g__"]),
        ("**a [b](c) d** e", ["**a [b](c) d**"]),
        ("see https://a.example/x?y=1。好", ["https://a.example/x?y=1"]),
        ("[^1] `a b` $c d$ <b x=1>", ["[^1]", "`a b`", "$c d$", "<b x=1>"]),
        ("** a ** and 2 * 3", []),
        ("[a\nb](c)", ["[a\nb](c)"]),
        ("[a [x] b](c) [![i](j.png)](k)", ["[a [x] b](c)", "[![i](j.png)](k)"]),
    ],
)
def test_inline_structures(text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in inline_spans(text)] == spans
    shifted = "xx\n" + text
    assert inline_spans(shifted, 3) == [(start + 3, end + 3) for start, end in inline_spans(text)]
