"""The list of all options."""

import json
from pathlib import Path

import pytest

from obsirag.config import RagConfig, list_options, options_as_markdown

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "all-options.md"
OPTIONS = {option.path: option for option in list_options()}


def test_the_page_is_the_list():
    assert PAGE.read_text(encoding="utf-8").endswith("\n\n" + options_as_markdown()), (
        "write it anew: keep what stands above the table, and put `obsirag config --options` below"
    )


def leaves(value, path=""):
    """Yield the path of each setting of a configuration, as its JSON has them."""
    for name, each in value.items():
        yield f"{path}{name}"
        if isinstance(each, dict):
            yield from leaves(each, f"{path}{name}.")


def test_every_setting_is_in_it():
    config = RagConfig(vault="notes", index="index", splitter={"chunk_size": 5}).model_dump(mode="json")
    assert set(leaves(config)) <= set(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_each_says_what_it_does_and_its_default_is_the_models(option):
    assert option.meaning or option.path.startswith("retrieval.weights.")
    value = RagConfig(vault="notes", index="index").model_dump(mode="json")
    for name in option.path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    if option.default and "[]" not in option.path and value is not None:
        assert json.loads(option.default) == value


def test_values_are_told_in_words():
    assert OPTIONS["preset"].kind == "`naive` or `corrective` or `aspects` or `enterprise`"
    assert OPTIONS["vault_options.max_embed_depth"].kind == "an integer, ≥ 0, ≤ 50"
    assert OPTIONS["embeddings"].kind == "a part or nothing"
    assert OPTIONS["splitter.rules"].kind == "a list: a section"
    assert OPTIONS["splitter.rules[].chunk_size"].kind == "an integer, ≥ 1 or nothing"
