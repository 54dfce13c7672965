"""Web search by Tavily."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from obsirag.errors import MissingExtraError
from obsirag.plugins.markers import hookimpl
from obsirag.plugins.tavily_options import TAVILY_URL, TavilyOptions

if TYPE_CHECKING:
    from obsirag.retrievers import WebSearchProvider

__all__ = ["hosts", "requires", "search_provider"]


@hookimpl
def search_provider(options: dict[str, Any]) -> WebSearchProvider:
    """Make a search provider."""
    checked = TavilyOptions.parse(options, place="search_provider (tavily)")
    if find_spec("langchain_tavily") is None:
        raise MissingExtraError("search provider 'tavily'", "tavily")
    from obsirag.plugins.tavily_provider import TavilyProvider

    return TavilyProvider(checked)


@hookimpl
def hosts(options: dict[str, Any]) -> list[str]:
    """Name the server."""
    return [str(options.get("base_url") or TAVILY_URL)]


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return {"langchain_tavily": "obsirag[tavily]"}
