"""Fixtures that make small parts."""

from collections.abc import Callable

import pytest
from langchain_core.documents import Document

from graph_fakes import FakeSearch, ScriptedChat, chunk


@pytest.fixture
def make_chat() -> Callable[..., ScriptedChat]:
    """Make a chat model that gives these answers."""
    return lambda *answers: ScriptedChat(answers=list(answers), prompts=[])


@pytest.fixture
def make_chunk() -> Callable[..., Document]:
    """Make a chunk."""
    return chunk


@pytest.fixture
def make_search() -> type[FakeSearch]:
    """Make a search."""
    return FakeSearch
