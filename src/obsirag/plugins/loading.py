"""Loading one plugin, with its faults kept to itself."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

from pluggy import PluginManager, PluginValidationError

from obsirag.config import nearest_names
from obsirag.errors import PluginError
from obsirag.plugins import hookspecs
from obsirag.plugins.kinds import KINDS, Kind
from obsirag.plugins.markers import GROUP

__all__ = ["Plugin", "PluginFailure", "distribution_of", "load_plugin"]


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A plugin that could not be loaded.

    Args:
        name: Its name.
        distribution: Who declares it, with the version.
        cause: What was raised.
    """

    name: str
    distribution: str
    cause: BaseException

    @property
    def reason(self) -> str:
        """The cause in words."""
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
    """

    def __init__(self, name: str, distribution: str, implementation: object) -> None:
        self.name = name
        self.distribution = distribution
        self._manager = PluginManager(GROUP)
        self._manager.add_hookspecs(hookspecs)
        self._manager.register(implementation, name)
        try:
            self._manager.check_pending()
        except PluginValidationError as error:
            raise PluginError(self._explain_unknown_hook(error)) from error

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of parts that it makes."""
        return tuple(kind for kind in KINDS if getattr(self._manager.hook, kind).get_hookimpls())

    def call(self, hook: str, **arguments: Any) -> Any:
        """Call one of its hooks, and return what it returns; None if it has no such hook."""
        return getattr(self._manager.hook, hook)(**arguments)

    def __str__(self) -> str:
        return f"the plugin {self.name!r} of {self.distribution}"

    def _explain_unknown_hook(self, error: PluginValidationError) -> str:
        known = hookspecs.__all__
        for caller in vars(self._manager.hook).values():
            name = getattr(caller, "name", "")
            if name and name not in known:
                near = nearest_names(name, known)
                return f"it implements a hook {name!r} that doesn't exist" + (
                    f"; did it mean {near[0]!r}?" if near else f"; there are: {', '.join(known)}"
                )
        return str(error)


def load_plugin(entry_point: EntryPoint) -> Plugin | PluginFailure:
    """Import what ``entry_point`` names, and return it as a plugin, or else what went wrong."""
    distribution = f"{distribution_of(entry_point)} {_stated(entry_point, 'Version')}".rstrip()
    try:
        implementation = entry_point.load()
        if isinstance(implementation, type) or not (
            isinstance(implementation, ModuleType) or _has_hooks(implementation)
        ):
            raise TypeError(f"{entry_point.value!r} is neither a module nor an object with hooks")
        return Plugin(entry_point.name, distribution, implementation)
    # The fault boundary around strangers' code: whatever their import does, even leaving the program, is theirs, and
    # disturbs only those who use them. It is kept, and raised when the plugin is used.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return PluginFailure(entry_point.name, distribution, error)


def distribution_of(entry_point: EntryPoint) -> str:
    """Return the name of the distribution that declares ``entry_point``."""
    return _stated(entry_point, "Name") or "an unknown distribution"


def _stated(entry_point: EntryPoint, field: str) -> str:
    """Return a field of the declaring distribution's metadata, empty if it is missing.

    Metadata may be broken, which must not break what reads it: newer Pythons warn of a missing field, or raise.
    """
    values = entry_point.dist.metadata.get_all(field) if entry_point.dist else None
    return str(values[0]) if values else ""


def _has_hooks(implementation: object) -> bool:
    if isinstance(implementation, type):
        return False  # its hooks would lack their `self`
    return any(hasattr(getattr(implementation, name, None), f"{GROUP}_impl") for name in dir(implementation))
