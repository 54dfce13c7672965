"""Which index of words is used, where it isn't the catalogue's own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from obsirag.components.build import choose_keyword_index
from obsirag.components.one_part import build_part
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import UnsupportedError
from obsirag.plugins import Registry

if TYPE_CHECKING:
    from obsirag.records import KeywordIndex

__all__ = ["keyword_index_opener"]

_log = logging.getLogger(__name__)


def keyword_index_opener(
    config: RagConfig, components: Components | None = None, *, registry: Registry | None = None
) -> Callable[[], KeywordIndex | None] | None:
    """Return what opens the keyword index, anew with each call; None where the catalogue's own is used.

    What opens it returns None where ``auto`` finds that the server cannot do it.

    Args:
        config: The configuration.
        components: Parts that are ready; an index among them is returned as it is.
        registry: Where plugins are looked up; those installed if None.
    """
    ready = components.keyword_index if components else None
    plugins = registry or Registry(options=config.plugins)
    part = None if ready is not None else choose_keyword_index(config, plugins)

    def open_index() -> KeywordIndex | None:
        if ready is not None or part is None:
            return ready
        config.index.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            index: KeywordIndex = build_part(config, plugins, "keyword_index", part, folder=config.index)
        except UnsupportedError as error:
            if config.keyword_index is part:
                raise
            _log.warning("keyword_index: auto takes the catalogue's own index: %s", error)
            return None
        return index

    return None if ready is None and part is None else open_index
