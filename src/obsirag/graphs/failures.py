"""A part of the graph that failed: what it would have given is lost, and nothing else.

A node catches the error itself. LangGraph's error handlers come too late: by then the error stands in the thread's
checkpoint and in streams, with all that it quotes.
"""

from __future__ import annotations

import logging
from typing import Any

from obsirag.errors import reason_of
from obsirag.retrievers import SearchError

__all__ = ["go_without"]

_log = logging.getLogger(__name__)


def go_without(name: str, error: Exception) -> dict[str, Any]:
    """Return the update of a node whose part failed.

    Args:
        name: The part's name, for ``degraded``, unless the error itself tells which part failed.
        error: How it failed.
    """
    part = error.part if isinstance(error, SearchError) else name
    _log.warning("%s failed (%s); the answer goes without it", part, reason_of(error))
    return {"degraded": [part]}
