import pytest

from tool_worlds import small_world


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("tools"))
