"""The plugins that are installed, loaded one by one as they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from typing import Any

from obsirag.config import PluginOptions, nearest_names
from obsirag.errors import PluginError
from obsirag.plugins.access import refusal_of, unknown_entries
from obsirag.plugins.boundary import call_guarded, call_hook
from obsirag.plugins.declared import canonical, distribution_of, find_entry_points, is_built_in, version_of
from obsirag.plugins.kinds import Kind, required_type
from obsirag.plugins.loading import Plugin, PluginFailure, load_plugin

__all__ = ["Registry"]


class Registry:
    """Finds the plugins that are installed, and builds parts with them.

    Finding reads the metadata of installed distributions and imports nothing. Plugins are kept once loaded, here and
    nowhere else: two registries share nothing.

    Args:
        declared: The entry points to choose from; those of the group ``obsirag`` if None.
        options: Which of them may be imported; all if None.
    """

    def __init__(self, declared: Iterable[EntryPoint] | None = None, *, options: PluginOptions | None = None) -> None:
        found = find_entry_points() if declared is None else declared
        self._declared = tuple(sorted(found, key=lambda each: (each.name, distribution_of(each), each.value)))
        self._options = options or PluginOptions()
        self._loaded: dict[tuple[str, str, str], Plugin | PluginFailure] = {}

    @property
    def declared(self) -> tuple[EntryPoint, ...]:
        """All entry points, by name, then by distribution."""
        return self._declared

    @property
    def failures(self) -> tuple[PluginFailure, ...]:
        """What failed to load so far, and why."""
        return tuple(each for each in self._loaded.values() if isinstance(each, PluginFailure))

    @property
    def built_in(self) -> tuple[EntryPoint, ...]:
        """The entry points of obsirag itself that may be used."""
        return tuple(each for each in self._declared if is_built_in(each) and not self.refusal(each))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the lists of plugins that may be imported name although it isn't installed."""
        return tuple(unknown_entries(self._options, self._declared))

    def refusal(self, entry_point: EntryPoint) -> str | None:
        """Return why a plugin may not be imported; None if it may."""
        return refusal_of(entry_point, self._options)

    def load_declared(self, entry_point: EntryPoint) -> Plugin | PluginFailure:
        """Return what comes of importing one of the entry points, now or earlier, whether it may be used or not."""
        key = (distribution_of(entry_point), entry_point.name, entry_point.value)
        if key not in self._loaded:
            self._loaded[key] = load_plugin(entry_point)
        return self._loaded[key]

    def written(self, entry_point: EntryPoint) -> str:
        """Return the name by which a configuration means one of the entry points.

        Raises:
            PluginError: If there is none, since its distribution declares the name more than once.
        """
        same = [each for each in self._declared if each.name == entry_point.name]
        owned = [each for each in same if canonical(distribution_of(each)) == canonical(distribution_of(entry_point))]
        if len(owned) > 1:
            raise PluginError(_why_not_one(entry_point.name, owned))
        is_plain = len(same) == 1 or is_built_in(entry_point)
        return entry_point.name if is_plain else f"{distribution_of(entry_point)}:{entry_point.name}"

    def load(self, name: str) -> Plugin:
        """Return the plugin of that name, loading it now if it wasn't yet.

        Args:
            name: The name of an entry point, or ``distribution:name``.

        Raises:
            PluginError: If there is none, there are several, it may not be used, or it fails to load.
        """
        loaded = self.load_declared(self._choose(name))
        if isinstance(loaded, PluginFailure):
            raise loaded.to_error()
        return loaded

    def require(self, kind: Kind, name: str) -> Plugin:
        """Return the plugin of that name, which makes parts of that kind.

        Raises:
            PluginError: If it cannot be loaded, or makes no such part.
        """
        plugin = self.load(name)
        if kind not in plugin.kinds:
            makes = ", ".join(plugin.kinds) or "nothing that is known here"
            unmarked = f" Its {kind!r} lacks the mark `@hookimpl`." if kind in plugin.unmarked else ""
            raise PluginError(f"{plugin} makes no {words(kind)}; it makes: {makes}.{unmarked} {self._who_makes(kind)}")
        return plugin

    def build(self, kind: Kind, name: str, options: dict[str, Any], **context: Any) -> Any:
        """Return a part made by a plugin.

        Args:
            kind: The kind of part.
            name: The plugin's name.
            options: Its options, with no ``{env: …}`` left in them.
            context: What the hook takes beside the options, e.g. ``folder`` and ``embeddings`` of a vector store.

        Raises:
            PluginError: If the plugin cannot be loaded, makes no such part, fails, or makes something else.
        """
        plugin = self.require(kind, name)
        return _checked(plugin, kind, call_hook(plugin, kind, f"make the {words(kind)}", options, **context))

    def build_all(self, kind: Kind, name: str, options: dict[str, Any]) -> tuple[Any, ...]:
        """Return the parts made by a plugin of which one or several of that kind are used together.

        Args:
            kind: The kind of part.
            name: The plugin's name.
            options: Its options, with no ``{env: …}`` left in them.

        Raises:
            PluginError: If the plugin cannot be loaded, makes no such part, fails, or makes something else.
        """
        plugin = self.require(kind, name)
        made = call_hook(plugin, kind, f"make the {words(kind)}", options)
        return tuple(_checked(plugin, kind, each) for each in (made if isinstance(made, list | tuple) else [made]))

    def hosts(self, name: str, options: dict[str, Any]) -> list[str]:
        """Return the addresses that a part with these options would call, as far as its plugin says so."""
        plugin = self.load(name)
        return [str(each) for each in call_hook(plugin, "hosts", "say whom it calls", options) or ()]

    def missing(self, plugin: Plugin) -> str | None:
        """Return what to install for a plugin; None if it says of nothing that it needs it and it isn't there."""
        needed = call_guarded(plugin, "say what it needs", {}, lambda: plugin.call("requires")) or {}
        if not isinstance(needed, Mapping) or not all(isinstance(each, str) for each in (*needed, *needed.values())):
            raise PluginError(f"{plugin} is to give what to install by the names of modules, but gave something else")
        missing = dict.fromkeys(what for module, what in needed.items() if not _is_installed(module))
        return " ".join(f"'{each}'" for each in missing) or None

    def _choose(self, name: str) -> EntryPoint:
        distribution, colon, plain = name.rpartition(":")
        same = [each for each in self._declared if each.name == plain]
        if colon:
            same = [each for each in same if canonical(distribution_of(each)) == canonical(distribution)]
        if not same:
            raise PluginError(
                f"there is no plugin {name!r}{self._hint(plain)} `obsirag plugins` lists what is installed"
            )
        same = [each for each in same if is_built_in(each)] or same  # before it is asked what may be used
        usable = [each for each in same if not self.refusal(each)]
        if not usable:
            who = distribution_of(same[0])
            raise PluginError(f"the plugin {name!r} of {who} may not be used: {self.refusal(same[0])}")
        if len(usable) > 1:
            raise PluginError(_why_not_one(name, usable))
        return usable[0]

    def _hint(self, name: str) -> str:
        names = sorted({each.name for each in self._declared})
        near = nearest_names(name, names, count=3)
        if near:
            return "; did you mean " + " or ".join(f"`{each}`" for each in near) + "?"
        return f"; there are: {', '.join(names)}." if names else "; none is installed at all."

    def _who_makes(self, kind: Kind) -> str:
        # Only among what is part of obsirag: asking a stranger would mean to import it.
        loaded = [self.load_declared(each) for each in self.built_in]
        makers = [each.name for each in loaded if isinstance(each, Plugin) and kind in each.kinds]
        return f"Built-in ones that do: {', '.join(makers)}" if makers else "No built-in one does"


def _why_not_one(name: str, same: list[EntryPoint]) -> str:
    whose = {canonical(distribution_of(each)): distribution_of(each) for each in same}
    if len(whose) > 1:
        plain = name.rpartition(":")[2]
        written = " or ".join(f"`{each}:{plain}`" for each in whose.values())
        return f"the plugin name {name!r} is declared by {len(whose)} distributions: write {written}"
    values = " and ".join(each.value for each in same)
    described = f"{distribution_of(same[0])} {version_of(same[0])}".rstrip()
    return (
        f"the plugin name {name!r} is declared {len(same)} times by {described} ({values}): that has to be mended there"
    )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # of a part of something that isn't there; of what is imported without a spec
        return False


def _checked(plugin: Plugin, kind: Kind, part: Any) -> Any:
    required = required_type(kind)
    if isinstance(part, type) or not isinstance(part, required):
        made = "nothing (None)" if part is None else f"a {type(part).__module__}.{type(part).__qualname__}"
        raise PluginError(
            f"{plugin} is to make the {words(kind)}, but made {made} instead of a {required.__qualname__}"
        )
    return part


def words(kind: Kind) -> str:
    """Return the kind as it stands in a sentence."""
    return kind.replace("_", " ")
