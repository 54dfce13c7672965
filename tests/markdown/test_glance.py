from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from obsirag.markdown import Block, scan
from obsirag.markdown.glance import take_blocks
from obsirag.markdown.top_level import TopLevel

# Parted by `;`, since some hold what else parts words or lines.
STARTS = (  # noqa: SIM905 - more than a screen as a list
    "a;a  ;- ;-;- b;-   c;*  d;* * *;---;- - -;***;***e***;___;__f__;1. g;1.  h;2) i;12. j;10.  k;1.l;# m;"
    "# n #;#o;##;####### p;> q;>  r;>;> - s;> ```;> [!tip] t;> [!tip]- ;> | u |;```;```py;``` x `y;````;"
    "`````md;~~~;~~~~ z;`a` b;``c``;$$;$$ d $$;$e$;%%;%% f %%;g %% h;%;| i |;| j | k |;|---|;| --- | :-: |;"
    '--|--;:--;|;<div>;</div>;<DIV class=x>;<div/x>;<br>;<br> l;<span class="a>b">m</span>;<b>;</b>;<!-- n -->;'
    "<!--;--> o;<!-- p --> q;<?;<!DOCTYPE>;<script>;</script>;<https://r.s>;<1;[^1]: t;[u]: v;[w](x);[[y]];"
    "![[z]];===;=;==x==;:a;!!! b;\\# c;\xa0;\u3000d;e\u2028;\x0c;\x0bf;\u4e2d\u6587\u3002;\uff11. g;#\u4e2d"
).split(";")
lines = st.builds(
    lambda indent, mark, start, end: indent + mark + start + end,
    st.sampled_from(["", "", "", "", " ", "  ", "   ", "    ", "\t", " \t", "     "]),
    st.sampled_from(["", "", "", "> ", "- ", "  "]),
    st.sampled_from(["", "", *STARTS]),
    st.sampled_from(["", "", "", "", " ", "\t", "\xa0", " %%", "%% "]),
)


def with_care(text: str) -> list[Block]:
    """The blocks of a text, each looked at closely."""
    blocks: list[Block] = []
    careful, position = TopLevel(text), 0
    while position < len(text):
        position = careful.take(position, blocks)
    return blocks


@given(st.lists(lines, max_size=12), st.sampled_from(["", "\n", " \n", "\n\n"]))
def test_a_glance_says_the_same_as_a_close_look(made: list[str], end: str) -> None:
    text = "\n".join(made) + end
    assert scan(text) == with_care(text)


@given(st.lists(lines, max_size=12), st.sampled_from([["\r\n"], ["\r"], ["\n", "\r\n"]]), st.data())
def test_line_ends_make_no_difference(made: list[str], which: list[str], data: st.DataObject) -> None:
    ends = data.draw(st.lists(st.sampled_from(which), min_size=len(made), max_size=len(made)))
    text = "".join(line + newline for line, newline in zip(made, ends, strict=True))
    plain = "\n".join(made) + "\n" * bool(made)
    as_text = [(block.kind, block.level, block.info, plain[block.start : block.end]) for block in scan(plain)]
    assert as_text == [
        (block.kind, block.level, block.info, text[block.start : block.end].replace("\r\n", "\n").replace("\r", "\n"))
        for block in scan(text)
    ]


@given(st.lists(lines, max_size=8), st.lists(lines, max_size=8))
def test_what_stands_before_makes_no_difference(before: list[str], after: list[str]) -> None:
    start = "".join(f"{line}\n" for line in before)
    text = "\n".join(after)
    moved = [block._replace(start=block.start + len(start), end=block.end + len(start)) for block in scan(text)]
    assert scan(start + text, len(start)) == moved


def test_everyday_blocks_need_no_closer_look() -> None:
    text = (
        "# Title\n\nSome *text*\nof two lines.\n- one\n- two\n  more\n\n  1. nested\n- three\n\n1. a\n2. b\n\n"
        "```py\n# x\n```\n\n> [!note] A\n> b\n\n| a | b |\n|---|---|\n| c | d |\n\n<div>\nx\n</div>\n\n---\n\n"
        "~~~\ny\n~~~\n[[end]]"
    )
    blocks: list[Block] = []
    assert take_blocks(text, 0, len(text), blocks) == len(text)
    assert [block.kind for block in blocks] == (
        "heading paragraph item item item item item fence callout table html rule fence paragraph".split()  # noqa: SIM905
    )
