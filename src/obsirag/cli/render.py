"""``obsirag render``."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from obsirag.cli.printing import complain, one_line, print_exactly, print_json
from obsirag.cli.settle import ConfigFile, VaultFolder, path_in, settle_config
from obsirag.components import open_vault

if TYPE_CHECKING:
    from obsirag.records import RenderedNote

__all__ = ["render"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def render(
    note: Annotated[str, typer.Argument(help="The note, as a path in the vault.")],
    vault: VaultFolder = None,
    config: ConfigFile = None,
    cleaned: Annotated[
        bool, typer.Option("--cleaned", help="Clean the text too, as it is before it is cut and indexed.")
    ] = False,
    sources: Annotated[
        bool, typer.Option("--sources", help="Put before each line the file and the line that it comes from.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print text, metadata and sources as JSON.")] = False,
) -> None:
    """Print a note as plain Markdown, its embeds filled in and its comments left out.

    The text goes to standard output as it is, line ends included; on a terminal, control characters are replaced. What
    was noticed goes to standard error. This reads the vault itself, whatever labels its notes carry.

    The exit code is 1 if the note cannot be read.
    """
    from obsirag.vault import UNREADABLE_NOTE_CODES

    if sources and as_json:
        raise typer.BadParameter("--json tells the sources anyway, in `segments`: leave --sources out")
    settings = settle_config(vault, None, config, needs_index=False)
    rendered = open_vault(settings).render(path_in(settings.vault, note))
    if cleaned:
        from obsirag.cleaning import clean
        from obsirag.components import build_components

        parts = build_components(settings, kinds={"cleaner"})
        rendered = clean(rendered, settings.cleaning, more_steps=parts.cleaners or ())
    if as_json:
        print_json(as_plain_data(rendered))
    else:
        for finding in rendered.diagnostics:
            complain(one_line(str(finding)))
        print_exactly(with_sources(rendered) if sources else rendered.text)
    if any(each.path == rendered.path and each.code in UNREADABLE_NOTE_CODES for each in rendered.diagnostics):
        raise typer.Exit(1)


def as_plain_data(rendered: RenderedNote) -> dict[str, Any]:
    """Return a rendered note in shapes that JSON knows, its numbers of lines and characters as they are there."""
    return {
        "path": rendered.path,
        "text": rendered.text,
        "metadata": rendered.metadata,
        "permissions": rendered.permissions,
        "segments": [segment._asdict() for segment in rendered.segments],
        "embeds": [embed._asdict() for embed in rendered.embeds],
        "dependencies": sorted(rendered.dependencies),
        "diagnostics": [asdict(finding) for finding in rendered.diagnostics],
    }


def with_sources(rendered: RenderedNote) -> str:
    """Return the text with the places that each line comes from before it, parted by a tab."""
    lines = [(found.start(), found.end()) for found in _LINE.finditer(rendered.text)]
    return "".join(f"{', '.join(_places(rendered, *line))}\t{rendered.text[slice(*line)]}" for line in lines)


def _places(rendered: RenderedNote, start: int, end: int) -> list[str]:
    """Return the files and lines that the line ``start..end`` comes from, each once, in order."""
    places = (f"{one_line(segment.path)}:{segment.line}" for segment in rendered.segments_between(start, end))
    return list(dict.fromkeys(places))
