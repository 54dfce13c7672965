"""What the documentation says of checking for typos is what happens."""

import re
from pathlib import Path

import yaml

from obsirag.config import RagConfig
from obsirag.plugins.openai_options import ChatOptions

PAGE = (Path(__file__).parents[1] / "docs/how-to/check-for-typos.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_prints_what_is_shown(capsys):
    for code, printed in zip(blocks("python"), blocks("text"), strict=True):
        exec(code, {})
        assert capsys.readouterr().out == printed


def test_the_configuration_is_valid():
    (shown,) = blocks("yaml")
    config = RagConfig(**yaml.safe_load(shown))
    ChatOptions.parse(config.chat_model.options, place="chat_model")
    assert config.terms.glossary
