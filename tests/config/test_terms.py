"""The options of the vault's terms."""

import pytest

from obsirag.config import RagConfig, TermOptions, load_config
from obsirag.errors import ConfigError


@pytest.mark.parametrize(
    ("options", "is_on"),
    [
        ({}, False),
        ({"glossary": ["Words.md"]}, True),
        ({"files": ["words.yaml"]}, True),
        ({"enabled": True}, True),
        ({"glossary": ["Words.md"], "enabled": False}, False),
    ],
)
def test_it_is_on_where_a_glossary_is_named(options, is_on):
    assert TermOptions(**options).is_on is is_on


def test_files_are_relative_to_the_configuration(tmp_path):
    (tmp_path / "obsirag.yaml").write_text("{vault: v, index: i, terms: {files: [words.yaml]}}", encoding="utf-8")
    assert load_config(tmp_path / "obsirag.yaml").terms.files == (tmp_path / "words.yaml",)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"glossary": [" "]}, "glossary"),
        ({"glossary": ["a\\b.md"]}, "backslash"),
        ({"files": [""]}, "path of a folder or a file"),
        ({"areas": {"Art": 5}}, "areas"),
        ({"colour": 1}, "colour"),
    ],
)
def test_what_is_wrong_is_told(options, said):
    with pytest.raises(ConfigError, match=said):
        RagConfig(vault="v", index="i", terms=options)
