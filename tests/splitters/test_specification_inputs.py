"""The laws over Markdown that was written to be hard to read: the examples of a specification."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import splitting_laws as laws
from obsirag.splitters import ObsidianSplitter
from obsirag.text import estimate_tokens
from splitting_worlds import byte_length, piece_count


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_laws_hold(law: Callable[[str, ObsidianSplitter], None], test_data: Path) -> None:
    paths = sorted((test_data / "cases" / "commonmark").glob("*.md"))
    assert paths
    for path in paths:
        text = path.read_bytes().decode("utf-8", "replace")
        for size in (1, 3, 7, 20, 60, 1000):
            for length in (len, estimate_tokens, byte_length, piece_count):
                law(text, ObsidianSplitter(chunk_size=size, chunk_overlap=size // 3, length_function=length))
