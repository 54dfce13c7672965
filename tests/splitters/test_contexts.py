from __future__ import annotations

import pytest

from obsirag.splitters import ObsidianSplitter


@pytest.mark.parametrize("inside", ["\u2028", "\f", "\v", "\x85", "\x1c"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_line_ends_end_what_is_repeated(inside: str, end: str) -> None:
    opening = f"```py first{inside}second"
    head = [f"| a{inside}b | c |", "|---|---|"]
    fence = end.join([opening, *["x = 1"] * 60, "```"])
    table = end.join([*head, *["| one | two |"] * 60])
    splitter = ObsidianSplitter(chunk_size=120, chunk_overlap=0, max_chunk_size=120)
    for text, before in ((fence, opening + "\n"), (table, "\n".join(head) + "\n")):
        chunks = splitter.create_documents([text])
        assert len(chunks) > 1
        assert {chunk.metadata["context_before"] for chunk in chunks[1:]} == {before}
