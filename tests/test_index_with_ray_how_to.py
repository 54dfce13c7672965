"""What the documentation says of Ray is what the options and the engine say."""

import re
from pathlib import Path

import pytest
import yaml

from obsirag.components import ray_engine
from obsirag.config import RagConfig

PAGE = (Path(__file__).parents[1] / "docs/how-to/index-with-ray.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_the_configurations_are_valid(block):
    indexing = RagConfig(vault="v", index="i", **yaml.safe_load(block)).indexing
    assert indexing.processes > 2


def test_the_numbers_are_those_of_the_engine():
    assert f"{32} notes ahead for each" in PAGE
    assert (ray_engine._NOTES, ray_engine._NOTES * ray_engine._AHEAD) == (8, 32)
    assert "eight at a time" in PAGE
