"""Which file a link means: Obsidian's rules of name resolution."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from obsirag.vault.codes import AMBIGUOUS_NAME, OUTSIDE_VAULT

__all__ = ["NameIndex", "Resolution", "leads_outside"]

_DRIVE_OR_SCHEME = re.compile(r"[A-Za-z]:[\\/]|\\\\|//|file:", re.IGNORECASE)


class Resolution(NamedTuple):
    """What a name resolves to.

    Args:
        path: The vault-relative path; None if it resolves to nothing.
        code: ``ambiguous-name`` or ``outside-vault`` where that is to be said, else None.
    """

    path: str | None
    code: str | None = None


@dataclass(frozen=True)
class NameIndex:
    """All names of a vault's files. Looking a name up never touches the disk, so it cannot lead out of the vault.

    Args:
        paths: The vault-relative paths of all files.
        shortcuts: Further paths, each with the file it stands for.
        read_aliases: Gives the aliases of front matters, each with the notes that have it; called at the first name
            that no file has, since it reads all notes.
    """

    paths: Iterable[str]
    shortcuts: Mapping[str, str] = field(default_factory=dict)
    read_aliases: Callable[[], Mapping[str, Iterable[str]]] = dict

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, str]]]:
        """File names in their normal form, each with (normal path, path) of the files that have it."""
        index: dict[str, list[tuple[str, str]]] = {}
        for path, target in [*((path, path) for path in self.paths), *self.shortcuts.items()]:
            normal = _normal(path)
            index.setdefault(normal.rpartition("/")[2], []).append((normal, target))
        return index

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(_normal(path).partition("/")[0] for path in self.paths if "/" in path)

    @cached_property
    def _aliases(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for alias, paths in self.read_aliases().items():
            index.setdefault(_normal(alias), []).extend(paths)
        return index

    def resolve(self, target: str, source: str) -> Resolution:
        """Return the file that ``target`` means in the note ``source``.

        In this order: a path relative to the note (``./``, ``../``) or to the vault (``/``); a file of that name or
        path end in the note's own folder, below it, at the vault's root, or anywhere, the shortest path first; a note
        with that alias. Names are compared as wholes, without regard to case and Unicode form; ``.md`` may be left out.

        Args:
            target: The name or path, without subpath. Empty means ``source`` itself.
            source: The note that the link stands in.
        """
        if not target.strip():
            return Resolution(source)
        found = self._resolve_as_written(target, source)
        if found.path is None and "%" in target:
            decoded = unquote(target)
            if decoded != target:
                again = self._resolve_as_written(decoded, source)
                return again if again.path or again.code else found
        return found

    def _resolve_as_written(self, target: str, source: str) -> Resolution:
        name = target.strip()
        if _DRIVE_OR_SCHEME.match(name):
            return Resolution(None, OUTSIDE_VAULT)
        normal = _normal(name.replace("\\", "/"))
        folder = _normal(source).rpartition("/")[0]
        if normal.startswith("/"):
            return self._absolute(normal.lstrip("/"))
        if normal.startswith(("./", "../")) or normal in (".", ".."):
            path = posixpath.normpath(posixpath.join(folder, normal))
            return Resolution(None, OUTSIDE_VAULT) if leads_outside(path) else Resolution(self._exact(path))
        if ".." in normal.split("/"):
            normal = posixpath.normpath(normal)
            if leads_outside(normal):
                return Resolution(None, OUTSIDE_VAULT)
        return self._anywhere(normal, folder) or self._by_alias(name, folder)

    def _absolute(self, path: str) -> Resolution:
        path = posixpath.normpath(path)
        found = None if leads_outside(path) else self._exact(path)
        if found is None and path.partition("/")[0] not in self._folders and "/" in path:
            return Resolution(None, OUTSIDE_VAULT)  # such as /etc/passwd: not the path of a file that went missing
        return Resolution(found)

    def _candidates(self, path: str) -> list[tuple[str, str]]:
        name = path.rpartition("/")[2]
        return [*self._by_name.get(name, ()), *self._by_name.get(f"{name}.md", ())]

    def _exact(self, path: str) -> str | None:
        for wanted in (path, f"{path}.md"):
            for normal, target in self._candidates(path):
                if normal == wanted:
                    return target
        return None

    def _anywhere(self, path: str, folder: str) -> Resolution | None:
        ends = (path, f"{path}.md")
        fitting = [
            (normal, target)
            for normal, target in self._candidates(path)
            if normal in ends or normal.endswith(tuple(f"/{end}" for end in ends))
        ]
        return _nearest(fitting, folder, ends)

    def _by_alias(self, alias: str, folder: str) -> Resolution:
        fitting = [(_normal(path), path) for path in self._aliases.get(_normal(alias), ())]
        return _nearest(fitting, folder, ()) or Resolution(None)


def leads_outside(path: str) -> bool:
    """Say whether a normalised relative path leaves the folder that it starts in."""
    return path == ".." or path.startswith(("../", "/"))


def _nearest(fitting: list[tuple[str, str]], folder: str, ends: tuple[str, ...]) -> Resolution | None:
    """Choose among ``(normal path, path)``; it is ambiguous if neither place nor full path tells which is meant."""
    if not fitting:
        return None
    inside = f"{folder}/" if folder else ""
    own = tuple(inside + end for end in ends)

    def rank(item: tuple[str, str]) -> tuple[int, int, str]:
        normal = item[0]
        if normal in own or (not ends and normal.rpartition("/")[0] == folder):
            nearness = 0
        elif inside and normal.startswith(inside):
            nearness = 1
        else:
            nearness = 2 if normal in ends else 3
        return nearness, len(normal), normal

    ranked = sorted(fitting, key=rank)
    tied = {target for normal, target in fitting if rank((normal, target))[0] == rank(ranked[0])[0]}
    return Resolution(ranked[0][1], AMBIGUOUS_NAME if len(tied) > 1 else None)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
