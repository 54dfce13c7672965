import pytest
from langchain_core.documents import Document

from obsirag.evaluation.leaks import is_leak
from obsirag.records import Permissions

VAULT: dict[str, Permissions] = {"内部/a.md": (("leads", "owners"),)}


def chunk(**metadata: object) -> Document:
    return Document("text", metadata=metadata)


def test_a_chunk_of_a_restricted_note_leaks_even_without_its_labels() -> None:
    lost = chunk(source="内部/a.md", start_line=1, end_line=2)
    assert is_leak(lost, (), VAULT)
    assert is_leak(lost, ("team",), VAULT)
    assert not is_leak(lost, ("owners",), VAULT)
    assert not is_leak(lost, (), {})


def test_text_embedded_from_a_restricted_note_leaks() -> None:
    host = chunk(source="public.md", start_line=4, end_line=4, source_spans=["内部/a.md#L3-L9"])
    assert is_leak(host, (), VAULT)
    assert not is_leak(host, ("leads",), VAULT)


def test_the_label_sets_of_a_chunk_are_all_to_be_met() -> None:
    both = chunk(permissions=['["a", "b"]', '["c"]'])
    assert is_leak(both, ("a",), {})
    assert not is_leak(both, ("b", "c"), {})


@pytest.mark.parametrize("stated", ["leads", '"leads"', "{"])
def test_permissions_that_cannot_be_read_are_for_nobody(stated: str) -> None:
    assert is_leak(chunk(permissions=[stated]), ("leads",), {})


def test_public_chunks_never_leak() -> None:
    assert not is_leak(chunk(source="b.md", start_line=1, end_line=1, permissions=[]), (), VAULT)


@pytest.mark.parametrize("lines", [{}, {"start_line": None, "end_line": None}, {"start_line": "x", "end_line": 2}])
def test_a_chunk_of_a_restricted_note_leaks_without_its_lines(lines: dict[str, object]) -> None:
    document = Document(page_content="secret", metadata={"source": "secret.md", **lines})
    assert is_leak(document, ["team"], {"secret.md": (("boss",),)})
    assert not is_leak(document, ["boss"], {"secret.md": (("boss",),)})


def test_labels_may_be_stated_as_plain_lists() -> None:
    document = Document(page_content="x", metadata={"permissions": [["boss", "lead"]]})
    assert is_leak(document, ["team"], {})
    assert not is_leak(document, ["lead"], {})
    assert is_leak(Document(page_content="x", metadata={"permissions": [5]}), ["5"], {})
