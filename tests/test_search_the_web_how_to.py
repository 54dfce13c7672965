"""What the documentation says of searching the web is what happens."""

import re
from pathlib import Path

import yaml

from obsirag.config import RagConfig
from obsirag.plugins.tavily_options import TavilyOptions

HOW_TO = (Path(__file__).parents[1] / "docs" / "how-to" / "search-the-web.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", HOW_TO, re.DOTALL)


def test_the_configuration_is_valid():
    (shown,) = blocks("yaml")
    config = RagConfig(**yaml.safe_load(shown))
    options = {**config.search_provider.options, "api_key": "x"}
    assert TavilyOptions.parse(options, place="search_provider").base_url
    assert config.web_search.block_domains == ("forums.example.com",)


def test_the_code_prints_what_is_shown(capsys):
    (code,), (printed,) = blocks("python"), blocks("text")
    exec(code, {})
    assert capsys.readouterr().out == printed
