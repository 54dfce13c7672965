"""Whether what a plugin calls its hooks are hooks, and take what hooks are given."""

from __future__ import annotations

from inspect import signature
from types import ModuleType

from pluggy import PluginManager

from obsirag.config import nearest_names
from obsirag.errors import PluginError
from obsirag.plugins import hookspecs
from obsirag.plugins.markers import GROUP

__all__ = ["check_hooks", "unmarked_hooks"]


def check_hooks(implementation: object) -> None:
    """Make sure that each hook of a plugin exists, and has no argument that it isn't given.

    Raises:
        PluginError: If one doesn't; the message says what was meant, as far as that can be guessed.
    """
    for hook, arguments, is_optional in _hooks_of(implementation):
        if hook not in hookspecs.__all__:
            if is_optional:
                continue
            near = nearest_names(hook, hookspecs.__all__)
            meant = f"did it mean {near[0]!r}?" if near else f"there are: {', '.join(hookspecs.__all__)}"
            raise PluginError(f"it implements a hook {hook!r} that doesn't exist; {meant}")
        given = [*signature(getattr(hookspecs, hook)).parameters]
        unknown = [each for each in arguments if each not in given]
        if unknown:
            takes = f"it may take: {', '.join(given)}" if given else "it takes none"
            raise PluginError(f"its hook {hook!r} has an argument {unknown[0]!r} that it is never given; {takes}")


def unmarked_hooks(implementation: object) -> tuple[str, ...]:
    """Return the functions of a plugin that are called like hooks but lack the mark ``@hookimpl``."""
    marked = {hook for hook, _, _ in _hooks_of(implementation)}
    owner = implementation if isinstance(implementation, ModuleType) else type(implementation)
    return tuple(name for name in hookspecs.__all__ if name not in marked and callable(vars(owner).get(name)))


def _hooks_of(implementation: object) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return the marked functions of a plugin: each hook's name, its arguments, and whether it need not exist."""
    manager = PluginManager(GROUP)  # knows no hook, and so takes any
    manager.register(implementation)
    return [
        (caller.name, each.argnames, each.optionalhook)
        for caller in manager.get_hookcallers(implementation) or ()
        for each in caller.get_hookimpls()
    ]
