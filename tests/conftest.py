"""Where the tests find their data."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
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
def sample_vault() -> Path:
    """The sample vault that comes with the project."""
    return Path(__file__).parent.parent / "examples" / "ue-notes"
