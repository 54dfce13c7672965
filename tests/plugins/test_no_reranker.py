import pytest
from langchain_core.documents import Document

from obsirag.errors import ConfigError
from obsirag.plugins import Registry


async def test_documents_stay_as_they_are():
    documents = [Document("b"), Document("a")]
    part = Registry().build("reranker", "none", {})
    assert part.compress_documents(documents, "q") == documents
    assert await part.acompress_documents(documents, "q") == documents


def test_it_has_no_options():
    with pytest.raises(ConfigError, match=r"reranker \(none\)"):
        Registry().build("reranker", "none", {"model": "x"})
