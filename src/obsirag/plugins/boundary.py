"""The boundary around plugins' code: what goes wrong behind it is told with the plugin's name, and without secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from obsirag.errors import ConfigError, ObsiragError, PluginError, ServiceError
from obsirag.plugins.declared import OWN_DISTRIBUTION
from obsirag.plugins.loading import Plugin

__all__ = ["call_guarded", "call_hook"]

_SHORTEST_SECRET = 4


def call_hook(plugin: Plugin, hook: str, purpose: str, options: dict[str, Any], **context: Any) -> Any:
    """Return what a hook of a plugin returns; None if it has no such hook.

    Args:
        plugin: The plugin.
        hook: The hook.
        purpose: What it is called for, in words.
        options: The options of the part.
        context: What the hook takes beside them.

    Raises:
        PluginError: If it fails.
    """
    return call_guarded(plugin, purpose, options, partial(plugin.call, hook, options=dict(options), **context))


def call_guarded(plugin: Plugin, purpose: str, options: dict[str, Any], call: Callable[[], Any]) -> Any:
    """Return what a call of a plugin's code returns.

    Args:
        plugin: The plugin.
        purpose: What it is called for, in words.
        options: The options of the part, of which no value is told.
        call: The call.

    Raises:
        PluginError: If it fails; what it raised in the project's own terms comes through.
    """
    try:
        return call()
    except (ConfigError, ServiceError) as error:
        if plugin.distribution.split()[0] == OWN_DISTRIBUTION:
            raise  # which part it is stands in the message
        named = ConfigError if isinstance(error, ConfigError) else ServiceError
        raise named(f"{plugin}: {error}") from error
    except ObsiragError:
        raise  # what a plugin says in the project's own terms needs no other words
    except (Exception, SystemExit) as error:  # a hook is not asked whether to leave the program
        raise PluginError(
            f"{plugin} failed to {purpose}: {type(error).__name__}: {_without_values(str(error), options)}. "
            "Check its options, or report it there"
        ) from error


def _without_values(message: str, options: dict[str, Any]) -> str:
    """Return a stranger's message without the values of the options, any of which may be a secret."""
    for value in sorted(_texts(options), key=len, reverse=True):  # one may be the beginning of another
        if len(value) >= _SHORTEST_SECRET:
            message = message.replace(value, "…")
    return message


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
