"""The plugins that are installed, loaded one by one as they are used."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from obsirag.config import nearest_names
from obsirag.errors import PluginError
from obsirag.plugins.boundary import OWN_DISTRIBUTION, call_hook
from obsirag.plugins.kinds import Kind, required_type
from obsirag.plugins.loading import Plugin, PluginFailure, distribution_of, load_plugin
from obsirag.plugins.markers import GROUP

__all__ = ["PluginInfo", "Registry"]


class PluginInfo(NamedTuple):
    """What is known of an installed plugin.

    Args:
        name: The name that a configuration uses.
        distribution: Who declares it, with the version.
        kinds: The kinds of parts that it makes.
        failure: Why it failed to load; None if it didn't.
    """

    name: str
    distribution: str
    kinds: tuple[Kind, ...]
    failure: str | None


class Registry:
    """Finds the plugins that are installed, and builds parts with them.

    Finding reads the metadata of installed distributions and imports nothing. Plugins are kept once loaded, here and
    nowhere else: two registries share nothing.

    Args:
        declared: The entry points to choose from; those of the group ``obsirag`` if None.
    """

    def __init__(self, declared: Iterable[EntryPoint] | None = None) -> None:
        found = entry_points(group=GROUP) if declared is None else declared
        self._declared = sorted(found, key=lambda each: (each.name, distribution_of(each)))
        self._loaded: dict[tuple[str, str], Plugin | PluginFailure] = {}

    @property
    def declared(self) -> tuple[EntryPoint, ...]:
        """All entry points, by name, then by distribution."""
        return tuple(self._declared)

    @property
    def failures(self) -> tuple[PluginFailure, ...]:
        """What failed to load so far, and why."""
        return tuple(each for each in self._loaded.values() if isinstance(each, PluginFailure))

    def survey(self) -> list[PluginInfo]:
        """Load every plugin, and return what each makes or why it failed."""
        return [_describe(each, self._load(each)) for each in self._declared]

    def load(self, name: str) -> Plugin:
        """Return the plugin of that name, loading it now if it wasn't yet.

        Args:
            name: The name of an entry point, or ``distribution:name``.

        Raises:
            PluginError: If there is none, there are several, or it fails to load.
        """
        loaded = self._load(self._choose(name))
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
            raise PluginError(f"{plugin} makes no {words(kind)}; it makes: {makes}. {self._who_makes(kind)}")
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

    def _load(self, entry_point: EntryPoint) -> Plugin | PluginFailure:
        key = (distribution_of(entry_point), entry_point.name)
        if key not in self._loaded:
            self._loaded[key] = load_plugin(entry_point)
        return self._loaded[key]

    def _choose(self, name: str) -> EntryPoint:
        distribution, colon, plain = name.rpartition(":")
        same = [each for each in self._declared if each.name == plain]
        if colon:
            same = [each for each in same if distribution_of(each).casefold() == distribution.casefold()]
        if not same:
            raise PluginError(
                f"there is no plugin {name!r}{self._hint(plain)} `obsirag plugins` lists what is installed"
            )
        own = [each for each in same if distribution_of(each) == OWN_DISTRIBUTION]
        if len(same) == 1 or own:
            return (own or same)[0]
        written = " or ".join(f"`{distribution_of(each)}:{each.name}`" for each in same)
        raise PluginError(f"the plugin name {name!r} is declared by {len(same)} distributions: write {written}")

    def _hint(self, name: str) -> str:
        names = sorted({each.name for each in self._declared})
        near = nearest_names(name, names, count=3)
        if near:
            return "; did you mean " + " or ".join(f"`{each}`" for each in near) + "?"
        return f"; there are: {', '.join(names)}." if names else "; none is installed at all."

    def _who_makes(self, kind: Kind) -> str:
        # Only among what is loaded anyway or is part of obsirag: asking a stranger would mean to import it.
        makers = []
        for entry_point in self._declared:
            if distribution_of(entry_point) == OWN_DISTRIBUTION:
                plugin = self._load(entry_point)
                if isinstance(plugin, Plugin) and kind in plugin.kinds:
                    makers.append(entry_point.name)
        return f"Built-in ones that do: {', '.join(makers)}" if makers else "No built-in one does"


def _checked(plugin: Plugin, kind: Kind, part: Any) -> Any:
    required = required_type(kind)
    if not isinstance(part, required):
        made = "nothing (None)" if part is None else f"a {type(part).__module__}.{type(part).__qualname__}"
        raise PluginError(
            f"{plugin} is to make the {words(kind)}, but made {made} instead of a {required.__qualname__}"
        )
    return part


def _describe(entry_point: EntryPoint, loaded: Plugin | PluginFailure) -> PluginInfo:
    if isinstance(loaded, PluginFailure):
        return PluginInfo(entry_point.name, loaded.distribution, (), loaded.reason)
    return PluginInfo(entry_point.name, loaded.distribution, loaded.kinds, None)


def words(kind: Kind) -> str:
    """Return the kind as it stands in a sentence."""
    return kind.replace("_", " ")
