"""Loading one plugin, with its faults kept to itself."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

from pluggy import PluginManager

from obsirag.errors import PluginError
from obsirag.plugins import hookspecs
from obsirag.plugins.api_version import api_version_of
from obsirag.plugins.checking import check_hooks, unmarked_hooks
from obsirag.plugins.declared import distribution_of, version_of
from obsirag.plugins.kinds import KINDS, Kind
from obsirag.plugins.markers import GROUP

__all__ = ["Plugin", "PluginFailure", "load_plugin"]


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A plugin that could not be loaded.

    Args:
        name: Its name.
        distribution: Who declares it, with the version.
        cause: What was raised.
        seconds: How long that took.
    """

    name: str
    distribution: str
    cause: BaseException
    seconds: float = 0.0

    @property
    def reason(self) -> str:
        """The cause in words."""
        if isinstance(self.cause, PluginError):
            return str(self.cause)
        return f"{type(self.cause).__name__}: {self.cause}" if str(self.cause) else type(self.cause).__name__

    def __str__(self) -> str:
        return f"the plugin {self.name!r} of {self.distribution} failed to load: {self.reason}"

    def to_error(self) -> PluginError:
        """Return the error to raise when this plugin is used."""
        error = PluginError(f"{self}. Repair or update {self.distribution.split()[0]}, or use another plugin")
        error.__cause__ = self.cause
        return error


class Plugin:
    """A plugin that is loaded: its hooks, and who brought it.

    Each has a manager of its own, so that a call reaches this plugin and no other.

    Args:
        name: Its name.
        distribution: Who declares it, with the version.
        implementation: The module or object with its hooks.
        seconds: How long its import took.

    Raises:
        PluginError: If it is made for another version of the interface, or a hook of it is none.
    """

    def __init__(self, name: str, distribution: str, implementation: object, seconds: float = 0.0) -> None:
        self.name = name
        self.distribution = distribution
        self.seconds = seconds
        self.api_version = api_version_of(implementation)  # first: what is newer may have hooks that are unknown here
        check_hooks(implementation)
        self.unmarked = unmarked_hooks(implementation)
        self._manager = PluginManager(GROUP)
        self._manager.add_hookspecs(hookspecs)
        self._manager.register(implementation, name)
        self._manager.check_pending()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of parts that it makes."""
        return tuple(kind for kind in KINDS if getattr(self._manager.hook, kind).get_hookimpls())

    def call(self, hook: str, **arguments: Any) -> Any:
        """Call one of its hooks, and return what it returns; None if it has no such hook."""
        return getattr(self._manager.hook, hook)(**arguments)

    def __str__(self) -> str:
        return f"the plugin {self.name!r} of {self.distribution}"


def load_plugin(entry_point: EntryPoint) -> Plugin | PluginFailure:
    """Import what ``entry_point`` names, and return it as a plugin, or else what went wrong."""
    distribution = f"{distribution_of(entry_point)} {version_of(entry_point)}".rstrip()
    began = time.perf_counter()
    try:
        implementation = entry_point.load()
        seconds = time.perf_counter() - began
        if isinstance(implementation, type) or not (
            isinstance(implementation, ModuleType) or _has_hooks(implementation)
        ):
            raise TypeError(f"{entry_point.value!r} is neither a module nor an object with hooks")
        return Plugin(entry_point.name, distribution, implementation, seconds)
    except KeyboardInterrupt:
        raise
    # The fault boundary around strangers' code: whatever their import does, even leaving the program, is theirs, and
    # disturbs only those who use them. It is kept, and raised when the plugin is used.
    except BaseException as error:  # noqa: BLE001
        return PluginFailure(entry_point.name, distribution, error, time.perf_counter() - began)


def _has_hooks(implementation: object) -> bool:
    return any(hasattr(getattr(implementation, name, None), f"{GROUP}_impl") for name in dir(implementation))
