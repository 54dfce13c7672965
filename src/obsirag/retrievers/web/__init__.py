"""Search in the web, through a provider."""

from obsirag.retrievers.web.provider import WebHit, WebPage, WebSearchProvider
from obsirag.retrievers.web.search import WebSearch

__all__ = ["WebHit", "WebPage", "WebSearch", "WebSearchProvider"]
