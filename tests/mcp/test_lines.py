"""Lines of input come whole, however they are read."""

from hypothesis import given
from hypothesis import strategies as st

from obsirag.mcp import serving


@given(st.lists(st.sampled_from(["", "a", "笔记", "\r", "x" * 300]), max_size=6), st.integers(1, 700))
async def test_lines_are_those_of_the_input_whatever_the_blocks(lines, size):
    data = "\n".join(lines).encode()
    blocks = iter([data[at : at + size] for at in range(0, len(data), size)])

    async def read(*_):
        return next(blocks, b"")

    before, serving.in_thread = serving.in_thread, read
    try:
        came = [line async for line in serving._lines_of_input()]
    finally:
        serving.in_thread = before
    assert came == (lines if lines and lines[-1] else lines[:-1])
