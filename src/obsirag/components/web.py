"""From the configuration to a search in the web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.components.build import build_components
from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.plugins import Kind
    from obsirag.retrievers import WebSearch

__all__ = ["open_web_search"]


def open_web_search(config: RagConfig, *, components: Components | None = None) -> WebSearch | None:
    """Return the search in the web; None if there is no provider, or ``web_search.mode`` is ``strict``.

    In strict mode the provider isn't even made, so that it needs no key and ``offline`` has nothing to refuse.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If options are wrong, or ``offline`` forbids the provider.
        PluginError: If the provider cannot be made.
    """
    kinds: tuple[Kind, ...] = ("search_provider",)
    provider = build_components(config, components, kinds=kinds).search_provider
    if provider is None or config.web_search.mode == "strict":
        return None
    from obsirag.retrievers import WebSearch

    return WebSearch(provider, **config.web_search.model_dump(exclude={"mode", "limit"}))
