"""What can be set for Milvus, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.errors import ConfigError, MissingExtraError
from obsirag.plugins import milvus
from obsirag.plugins.milvus import hosts, vector_store

EMBEDDINGS = DeterministicFakeEmbedding(size=6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"collecton": "x"}, "collection"),
        ({"collection": "a-b"}, "collection"),
        ({"m": 0}, "m"),
        ({"uri": "ftp://x"}, "uri"),
        ({"uri": "http://"}, "uri"),
        ({"token": "x"}, "token"),
        ({"database": "x", "uri": "folder"}, "database"),
        ({"analyzer": "x"}, "analyzer"),
        ({"timeout": 0.0}, "timeout"),
    ],
)
def test_wrong_ones_are_told(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        vector_store(options, EMBEDDINGS, tmp_path)


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(milvus, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"obsirag\[milvus\]"):
        vector_store({}, EMBEDDINGS, tmp_path)


def test_only_a_server_is_another_host() -> None:
    assert hosts({}) == hosts({"uri": "some/folder"}) == []
    assert hosts({"uri": "https://milvus.example:19530"}) == ["https://milvus.example:19530"]
