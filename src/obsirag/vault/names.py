"""Which file a link means: Obsidian's rules of name resolution."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote

from obsirag.vault.codes import OUTSIDE_VAULT
from obsirag.vault.namesakes import Namesakes, Resolution

__all__ = ["NameIndex", "Resolution", "leads_outside"]

_DOTS_OR_NOTHING = re.compile(r"(?:^|/)(?:\.\.?(?:/|$)|/)")
_FOLDER = re.compile(r".*(?:^|/)\.{0,2}", re.DOTALL)
_DRIVE_OR_SCHEME = re.compile(r"[A-Za-z]:[\\/]|\\\\|//|file:", re.IGNORECASE)


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
    def _by_name(self) -> dict[str, Namesakes]:
        """The files by their names in normal form."""
        index: dict[str, list[tuple[str, str]]] = {}
        for path, target in [*((path, path) for path in self.paths), *self.shortcuts.items()]:
            normal = _trimmed(_normal(path))
            index.setdefault(normal.rpartition("/")[2], []).append((normal, target))
        return {name: Namesakes(files) for name, files in index.items()}

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(_normal(path).partition("/")[0] for path in self.paths if "/" in path)

    @cached_property
    def _aliases(self) -> dict[str, Namesakes]:
        index: dict[str, list[tuple[str, str]]] = {}
        for alias, paths in self.read_aliases().items():
            index.setdefault(_normal(alias.strip()), []).extend((_normal(path), path) for path in paths)
        return {alias: Namesakes(files) for alias, files in index.items()}

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
        found = self._resolve_file(target, source)
        if found.path is None and "%" in target:
            decoded = unquote(target)
            if decoded != target:
                again = self._resolve_file(decoded, source)
                return again if again.path or again.code else found
        return found

    def called(self, target: str) -> list[str]:
        """Return all files whose name, path end or alias ``target`` is, wherever they lie; their paths sorted.

        Args:
            target: As for ``resolve``.
        """
        for name in dict.fromkeys((target.strip(), unquote(target.strip()))):
            parts = [part for part in _normal(name.replace("\\", "/")).split("/") if part not in ("", ".", "..")]
            for end in _ends("/".join(parts)):
                namesakes = self._by_name.get(end.rpartition("/")[2])
                if namesakes and "/" in end:
                    namesakes = namesakes.ending(end)
                if namesakes:
                    return namesakes.paths
            if namesakes := self._aliases.get(_normal(name)):
                return namesakes.paths
        return []

    def _resolve_file(self, target: str, source: str) -> Resolution:
        found = self._resolve_as_written(target, source)
        if found.path is not None and _FOLDER.fullmatch(target.strip().replace("\\", "/")):
            return Resolution(None)  # `Note/`, `..`: a folder, which no link leads to
        return found

    def _resolve_as_written(self, target: str, source: str) -> Resolution:
        name = target.strip()
        if _DRIVE_OR_SCHEME.match(name):
            return Resolution(None, OUTSIDE_VAULT)
        spelling = name.replace("\\", "/")
        normal = _normal(spelling)
        if normal.startswith("/"):
            return self._absolute(normal.lstrip("/"), spelling.lstrip("/"))
        if normal.startswith(("./", "../")) or normal in (".", ".."):
            path = posixpath.normpath(posixpath.join(_folder(source), normal))
            if leads_outside(path):
                return Resolution(None, OUTSIDE_VAULT)
            return self._exact(path, spelling.rpartition("/")[2]) or Resolution(None)
        if _DOTS_OR_NOTHING.search(normal):
            normal = posixpath.normpath(normal)
            if leads_outside(normal):
                return Resolution(None, OUTSIDE_VAULT)
        found = self._anywhere(normal, source, spelling)
        return found or self._by_alias(name, source) or Resolution(None)

    def _absolute(self, path: str, spelling: str) -> Resolution:
        path = posixpath.normpath(path)
        found = None if leads_outside(path) else self._exact(path, spelling)
        if found is None and path.partition("/")[0] not in self._folders and "/" in path:
            return Resolution(None, OUTSIDE_VAULT)  # such as /etc/passwd: not the path of a file that went missing
        return found or Resolution(None)

    def _exact(self, path: str, spelling: str) -> Resolution | None:
        for end in _ends(path):
            namesakes = self._by_name.get(end.rpartition("/")[2])
            found = namesakes.at(end, spelling) if namesakes else None
            if found:
                return found
        return None

    def _anywhere(self, path: str, source: str, spelling: str) -> Resolution | None:
        for end in _ends(path):
            namesakes = self._by_name.get(end.rpartition("/")[2])
            if namesakes and "/" in end:
                namesakes = namesakes.ending(end)
            if namesakes:
                return namesakes.only or namesakes.nearest(_folder(source), spelling, end)
        return None

    def _by_alias(self, alias: str, source: str) -> Resolution | None:
        namesakes = self._aliases.get(_normal(alias))
        return namesakes.nearest(_folder(source), alias) if namesakes else None


def leads_outside(path: str) -> bool:
    """Say whether a normalised relative path leaves the folder that it starts in."""
    return path == ".." or path.startswith(("../", "/"))


def _ends(path: str) -> tuple[str, str]:
    """Return what a file may be called that a link calls ``path``, likeliest first.

    A file of that very name goes before a note of it, since ``n.md`` is not ``n.md.md``; but a name without an ending
    is that of a note, as Obsidian links to no files without one.
    """
    ends = _trimmed(path), _trimmed(f"{path}.md")
    return ends if "." in path.rpartition("/")[2] else ends[::-1]


def _trimmed(path: str) -> str:
    """Return a path without blanks around the file's stem: links have none around a name."""
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    return f"{folder}{slash}{stem.strip()}{dot}{suffix}" if stem.strip() else path


def _folder(path: str) -> str:
    """Return the folder of a path, in normal form."""
    return _normal(path).rpartition("/")[0]


def _normal(name: str) -> str:
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
