from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from obsirag.markdown.containers import ContainerScan
from obsirag.markdown.glance import container_at_a_glance
from obsirag.markdown.nodes import trimmed_end

LINES = (
    "- a;  b;;> q;text;1. x;  - n;\t- t;# h;```;    code;---;===;2) y;   c;-;* * *;  ```;$$;<div>;[^1]: f;| a |;|---|"
)
lines = st.sampled_from(
    [*LINES.split(";"), "> ```", "  > q", " \tz", "-\tq", "10. w", "<br>", "  <br>", "\u00a0", "\u3000z", "> \u2028"]
)


@given(
    st.sampled_from(["- a", "1. b", "> c", "> [!tip] d", "-   e", "- ```", "- > f", "-      g"]),
    st.lists(lines, max_size=8),
)
def test_a_glance_says_the_same_as_the_scan(first: str, rest: list[str]) -> None:
    text = "\n".join([first, *rest])
    block = container_at_a_glance(text, 0)
    if block is not None:
        scan = ContainerScan(text, len(text))
        end = scan.run(0)
        assert (block.kind, trimmed_end(text, 0, block.end)) == (scan.found[0].kind, trimmed_end(text, 0, end))
        assert block.info == scan.found[0].info
