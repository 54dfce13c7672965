"""Which configuration a command runs with."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from obsirag.config import Preset, RagConfig, load_config

__all__ = [
    "ConfigFile",
    "IndexFolder",
    "Labels",
    "VaultArgument",
    "VaultFolder",
    "config_file_here",
    "default_index",
    "path_in",
    "settle_config",
    "some_text",
]

CONFIG_FILES = ("obsirag.yaml", "obsirag.yml", "obsirag.toml")


def folder(given: str) -> Path:
    """Return the path that was given; the empty one, an unset variable's, is not the working directory."""
    if not given.strip() or "\0" in given:
        raise typer.BadParameter("the path is empty or holds a null character")
    return Path(given)


VaultArgument = Annotated[
    Path | None, typer.Argument(help="The folder with the notes.", parser=folder, metavar="VAULT")
]
VaultFolder = Annotated[
    Path | None, typer.Option("--vault", help="The folder with the notes.", parser=folder, metavar="FOLDER")
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", help="A configuration file (YAML or TOML), instead of a vault.", parser=folder, metavar="FILE"
    ),
]
IndexFolder = Annotated[
    Path | None,
    typer.Option(
        "--index",
        help="The folder of the index; by default one for each vault in your cache folder.",
        parser=folder,
        metavar="FOLDER",
    ),
]
PresetName = Annotated[
    Preset | None,
    typer.Option(
        "--preset",
        help=f"The question graph's preset, instead of the configuration's: {', '.join(get_args(Preset))}.",
        parser=lambda given: preset_named(given),
        metavar="PRESET",
    ),
]
Labels = Annotated[
    list[str] | None, typer.Option("--label", help="A permission label of yours; may be given several times.")
]


def preset_named(given: str) -> Preset:
    """Return the preset of a name.

    Raises:
        typer.BadParameter: If there is none.
    """
    for known in get_args(Preset):
        if given == known:
            return cast("Preset", known)
    raise typer.BadParameter(f"there is no preset {given!r}; there are {', '.join(get_args(Preset))}")


def some_text(given: str) -> str:
    """Return the question or the words that were given; nothing, an unset variable's, cannot be answered."""
    if not any(each.isprintable() and not each.isspace() for each in given):
        raise typer.BadParameter("it is empty: say what is to be found")
    return given


def settle_config(
    vault: Path | None,
    index: Path | None,
    config: Path | None,
    *,
    preset: Preset | None = None,
    needs_index: bool = True,
) -> RagConfig:
    """Return the configuration that the options of a command mean.

    Args:
        vault: The vault, if given.
        index: The index's folder, if given; it wins over the file's.
        config: The configuration file, if given.
        preset: The question graph's preset, if given; it wins over the file's.
        needs_index: Whether the command uses the index; if not, the file may leave it out.

    Raises:
        ConfigError: If the configuration is wrong.
        typer.BadParameter: If the options don't go together.
    """
    settled = _settled(vault, index, config, needs_index=needs_index)
    return settled if preset is None else settled.model_copy(update={"preset": preset})


def config_file_here() -> Path | None:
    """Return the configuration file in the working directory; None if there is none."""
    return next((Path(name) for name in CONFIG_FILES if Path(name).is_file()), None)


def _settled(vault: Path | None, index: Path | None, config: Path | None, *, needs_index: bool) -> RagConfig:
    if vault is not None and config is not None:
        raise typer.BadParameter("give a vault or --config, not both: the file names its own vault")
    if vault is not None:
        return RagConfig(vault=vault, index=index or default_index(vault))
    file = config or config_file_here()
    if file is None:
        raise typer.BadParameter(
            f"give a vault, or a configuration file with --config; there is no {', '.join(CONFIG_FILES)} here"
        )
    # Should a command use an index all the same, it fails: nothing can be made below this.
    nowhere = None if needs_index else Path(os.devnull)
    given = index.expanduser().absolute() if index is not None else nowhere
    settled = load_config(file, defaults={} if given is None else {"index": given})
    return settled if index is None else settled.model_copy(update={"index": index.expanduser()})


def path_in(vault: Path, note: str) -> str:
    """Return the note's path in the vault, also where it was given as a path from elsewhere."""
    try:
        root = vault.expanduser().resolve()
        given = Path(note).expanduser()
        inside = given if given.is_absolute() or not (root / given).exists() else root / given
        if inside.exists():
            # Where it really lies, or, for a symbolic link that leads out of the vault, where the link does.
            for place in (inside.resolve(), inside.absolute()):
                if place.is_relative_to(root):
                    return place.relative_to(root).as_posix()
    except (OSError, RuntimeError, ValueError):
        return note  # no file can have this path, or it only looks like somebody's home folder
    return given.as_posix()


def default_index(vault: Path) -> Path:
    """Return where the index of a vault lies if nothing is said: in the user's cache folder.

    Not in the vault: vaults are synchronised and shared, which a database doesn't survive, and an index holds the text
    of all notes, restricted ones too. The folder's name tells vaults of the same name apart.
    """
    root = vault.expanduser().resolve()
    return _cache_folder() / "obsirag" / f"{root.name or 'vault'}-{sha256(os.fsencode(root)).hexdigest()[:12]}"


def _cache_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
