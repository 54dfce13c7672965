from __future__ import annotations

import pytest

from obsirag.splitters import ObsidianSplitter


@pytest.mark.parametrize(
    "options",
    [
        {name: value}
        for name in ("chunk_size", "max_chunk_size", "min_chunk_size", "parent_chunk_size", "input_limit")
        for value in (0, "100", 10.5, float("nan"), True)
    ]
    + [{"chunk_size": None}, {"chunk_overlap": -1}, {"chunk_overlap": 0.5}, {"chunk_overlap": None}],
)
def test_a_size_that_is_none_is_refused_by_name_and_value(options: dict[str, object]) -> None:
    [(name, value)] = options.items()
    with pytest.raises(ValueError, match=f"{name} must be an integer of at least [01], not {value!r}"):
        ObsidianSplitter(**options)  # type: ignore[arg-type]


def test_texts_and_metadata_may_come_from_iterators() -> None:
    texts, metadatas = ["# A\n\na", "# B\n\nb"], [{"source": "a.md"}, {"source": "b.md"}]
    splitter = ObsidianSplitter()
    assert splitter.create_documents(iter(texts)) == splitter.create_documents(texts)
    assert splitter.create_documents(iter(texts), iter(metadatas)) == splitter.create_documents(texts, metadatas)
    with pytest.raises(ValueError, match="zip"):
        splitter.create_documents(iter(texts), iter(metadatas[:1]))
