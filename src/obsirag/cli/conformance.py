"""``obsirag conformance``."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from obsirag.cli.printing import print_json, print_lines
from obsirag.cli.settle import ConfigFile, folder

if TYPE_CHECKING:
    from obsirag.config import RagConfig
    from obsirag.plugins import Registry

__all__ = ["conformance"]

_STYLES = {"passed": "", "failed": "red", "absent": "dim", None: "bold"}


def options_of(given: str) -> dict[str, Any]:
    """Return the options that were given as JSON."""
    try:
        options = json.loads(given)
    except ValueError as error:
        raise typer.BadParameter(f"it is no JSON: {error}") from error
    if not isinstance(options, dict):
        raise typer.BadParameter('it must be an object, such as {"model": "small"}')
    return options


Name = Annotated[str, typer.Argument(help="The plugin's name; `obsirag plugins` lists them.", metavar="NAME")]
KindName = Annotated[
    str | None, typer.Option("--kind", help="The kind of part, where the plugin makes several.", metavar="KIND")
]
Options = Annotated[
    str | None,
    typer.Option("--options", help="The part's options as JSON, instead of the configuration's.", metavar="JSON"),
]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        "--file", help="A file for a loader to read; may be given several times.", parser=folder, metavar="FILE"
    ),
]
Seconds = Annotated[float, typer.Option("--timeout", help="Seconds that a check may take.", min=0.1)]


def conformance(
    name: Name,
    kind: KindName = None,
    config: ConfigFile = None,
    options: Options = None,
    file: Files = None,
    timeout: Seconds = 120.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Check whether a plugin's part does what obsirag needs, and what else it can do.

    The part is made with the options that the configuration file gives it. A vector store or keyword index must be
    empty: the checks write to it, and delete afterwards what they wrote. Services are called, and may cost money.

    The exit code is 1 if something that is required fails, or that the part says it can do; 2 for wrong use.
    """
    from obsirag.plugins import Registry
    from obsirag.testing import choose_kind, kit_for_plugin, run_conformance

    settings = None if config is None else settings_of(config)
    plugins = Registry() if settings is None else Registry(options=settings.plugins)
    chosen = choose_kind(plugins, name, kind)
    given = options_of(options) if options is not None else configured_options(plugins, settings, chosen, name)
    kit = kit_for_plugin(plugins, chosen, name, given, files=file or ())
    with quietly():
        report = run_conformance(kit, name=name, timeout=timeout)
    if as_json:
        print_json(report.to_json())
    else:
        print_lines((line, _STYLES[outcome]) for line, outcome in report.lines())
    if not report.conforms:
        raise typer.Exit(1)


def settings_of(file: Path) -> RagConfig:
    """Return a configuration, which may be about nothing but the part: no vault is read, and no index written.

    Raises:
        ConfigError: If the file is wrong.
    """
    from obsirag.config import load_config

    return load_config(file, defaults={"vault": ".", "index": ".obsirag"})


def configured_options(plugins: Registry, settings: RagConfig | None, kind: str, name: str) -> dict[str, Any]:
    """Return the options of a part in a configuration; none without one, or if it doesn't name the part.

    Raises:
        ConfigError: If the configuration forbids the part.
    """
    if settings is None:
        return {}
    from obsirag.components.offline import refuse_remote
    from obsirag.config import resolve_options

    part = next((each for each in parts_in(settings, kind) if each.name == name), None)
    options = resolve_options(part, place=kind) if part is not None else {}
    if settings.offline:
        refuse_remote(plugins, kind, name, options)
    return options


def parts_in(settings: Any, kind: str) -> Iterator[Any]:
    """Yield the parts of a kind that a configuration names."""
    from obsirag.config import Part

    given = {"cleaner": settings.cleaning.steps, "loader": getattr(settings, "loaders", ())}.get(
        kind, getattr(settings, kind, None)
    )
    listed = given.values() if isinstance(given, dict) else given if isinstance(given, list | tuple) else [given]
    yield from (each for each in listed if isinstance(each, Part))


@contextmanager
def quietly() -> Iterator[None]:
    """Keep off the terminal what is logged of faults that the checks bring about."""
    nowhere = logging.NullHandler()
    logging.getLogger().addHandler(nowhere)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(nowhere)
