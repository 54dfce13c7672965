"""What a model is told when a tool cannot do what it is for."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from langchain_core.tools import ToolException
from langgraph.errors import GraphBubbleUp

from obsirag.errors import CatalogueError, ConfigError, ObsiragError, PluginError, ServiceError, reason_of

__all__ = ["told"]

_log = logging.getLogger(__name__)

_SET_UP = "This is not set up rightly; whoever runs it finds the reason in the log. Calling again will not help."
_WORDS: dict[type[ObsiragError], str] = {
    CatalogueError: "The notes cannot be used now: there is no index of them, or it cannot be opened. Whoever runs "
    "this has to index them; calling again will not help.",
    ServiceError: "A model or another service that this needs cannot be reached, or failed. It may work later.",
    ConfigError: _SET_UP,
    PluginError: _SET_UP,
}
_OTHER = "That failed; whoever runs this finds the reason in the log."


@contextmanager
def told(tool: str) -> Iterator[None]:
    """Turn what goes wrong into words for a model; whoever runs the program finds the reason in the log.

    The reason may name folders and servers, and a stranger's error may quote what it was given: neither is the model's
    affair.

    Args:
        tool: The tool's name, for the log.

    Raises:
        ToolException: If something went wrong.
    """
    try:
        yield
    except (ToolException, GraphBubbleUp):  # words already; an interrupt is no error
        raise
    except Exception as error:
        _log.warning("The tool %s failed: %s", tool, reason_of(error))
        raise ToolException(
            next((words for kind, words in _WORDS.items() if isinstance(error, kind)), _OTHER)
        ) from error
