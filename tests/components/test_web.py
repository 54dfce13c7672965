import importlib.util

import pytest

from obsirag.components import Components, build_components, open_web_search
from obsirag.config import RagConfig
from obsirag.errors import ConfigError, PluginError
from obsirag.retrievers import WebHit, WebSearch, WebSearchProvider

needs_tavily = pytest.mark.skipif(
    importlib.util.find_spec("langchain_tavily") is None, reason="the extra `tavily` is not installed"
)


class Provider(WebSearchProvider):
    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        return [WebHit("https://a.org/", "A", "Long text. " * 100), WebHit("https://b.org/", "B", "Text.")]

    def extract(self, urls):
        raise AssertionError("not asked for")


def config(**options):
    return RagConfig(vault="notes", index="index", embeddings="hashing", vector_store="memory", **options)


def test_a_ready_provider_is_used_with_the_options_of_the_configuration():
    options = {"block_domains": ["b.org"], "max_page_characters": 100, "extract": False}
    search = open_web_search(config(web_search=options), components=Components(search_provider=Provider()))
    (found,) = search.search("question")
    assert len(found.page_content) <= 100
    assert search.extract([found]) == [found]


def test_without_a_provider_there_is_no_search():
    assert open_web_search(config()) is None
    assert open_web_search(config(offline=True, web_search={"mode": "hybrid"})) is None


def test_in_strict_mode_there_is_none_and_the_provider_is_not_made():
    strict = {"mode": "strict"}
    wrong = {"name": "no-such-plugin", "api_key": {"env": "NO_SUCH_VARIABLE"}}
    assert open_web_search(config(web_search=strict, search_provider=wrong, offline=True)) is None
    assert open_web_search(config(web_search=strict), components=Components(search_provider=Provider())) is None
    assert build_components(config(web_search=strict, search_provider=wrong)).search_provider is None


def test_a_provider_that_would_leave_the_machine_is_refused_offline():
    provider = {"name": "tavily", "api_key": "tvly-x"}
    with pytest.raises(ConfigError, match=r"`search_provider` \(tavily\) would call https://api\.tavily\.com:"):
        open_web_search(config(offline=True, search_provider=provider))


@needs_tavily
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_server_on_this_machine_is_allowed_offline(host):
    provider = {"name": "tavily", "base_url": f"http://{host}:8301"}
    assert isinstance(open_web_search(config(offline=True, search_provider=provider)), WebSearch)


@needs_tavily
def test_the_key_comes_from_where_the_configuration_says(monkeypatch):
    provider = {"name": "tavily", "api_key": {"env": "MY_TAVILY_KEY"}}
    monkeypatch.delenv("MY_TAVILY_KEY", raising=False)
    with pytest.raises(ConfigError, match=r"`search_provider\.api_key`.*MY_TAVILY_KEY"):
        open_web_search(config(search_provider=provider))
    monkeypatch.setenv("MY_TAVILY_KEY", "tvly-x")
    assert open_web_search(config(search_provider=provider)) is not None


def test_a_plugin_for_something_else_is_an_error():
    with pytest.raises(PluginError, match=r"'hashing' .* makes no search provider; .* Built-in ones that do: tavily"):
        open_web_search(config(search_provider="hashing"))
