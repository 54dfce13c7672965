from __future__ import annotations

import pytest
from langchain_core.documents import Document

from obsirag.splitters import ObsidianSplitter


@pytest.mark.parametrize("name", ["permission", "permissions", "Permission", "PERMISSIONS"])
def test_labels_count_however_their_field_is_spelt(name: str) -> None:
    (chunk,) = ObsidianSplitter().split_documents([Document("pay", metadata={"source": "a.md", name: ["hr", "boss"]})])
    assert chunk.metadata["permissions"] == ['["boss", "hr"]']


@pytest.mark.parametrize("metadata", [{}, {"permission": ["b", "a"]}, {"permission": "a", "permissions": ["b", "c"]}])
def test_chunks_split_again_keep_their_labels(metadata: dict[str, object]) -> None:
    splitter = ObsidianSplitter()
    once = splitter.split_documents([Document("one two", metadata={"source": "a.md", **metadata})])
    twice = splitter.split_documents(once)
    assert [chunk.metadata["permissions"] for chunk in twice] == [chunk.metadata["permissions"] for chunk in once]
