"""Where a check may write: never into the vault."""

from __future__ import annotations

from pathlib import Path

from obsirag.errors import ConfigError

__all__ = ["is_in_vault", "refuse_in_vault"]


def is_in_vault(folder: Path, vault: Path) -> bool:
    """Say whether a folder, which need not exist, is the vault or lies in it, by whatever path."""
    place = folder.expanduser().resolve()
    return any(each.exists() and each.samefile(vault) for each in (place, *place.parents))


def refuse_in_vault(folder: Path, vault: Path, what: str) -> None:
    """Make sure that a folder doesn't lie in the vault.

    Raises:
        ConfigError: If it does.
    """
    if is_in_vault(folder, vault):
        raise ConfigError(f"{what}, {folder}, lies in the vault {vault}, into which nothing is written: name another")
