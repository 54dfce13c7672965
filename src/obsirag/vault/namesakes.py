"""The files that one name may mean, and which of them is the nearest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from obsirag.vault.codes import AMBIGUOUS_NAME

__all__ = ["Namesakes", "Resolution"]

_File = tuple[str, str]  # its path in normal form, and the path that it stands for


class Resolution(NamedTuple):
    """What a name resolves to.

    Args:
        path: The vault-relative path; None if it resolves to nothing.
        code: ``ambiguous-name`` or ``outside-vault`` where that is to be said, else None.
    """

    path: str | None
    code: str | None = None


class Namesakes:
    """Files that share a name, in an order that spares a link to one of ten thousand from looking at all of them.

    Args:
        files: For each, its path in normal form and the path of the file.
    """

    def __init__(self, files: Iterable[tuple[str, str]]) -> None:
        self._files = sorted(set(files))
        self.only = Resolution(self._files[0][1]) if len(self._files) == 1 else None
        """The file, if there is but one: then no place makes a difference."""
        self._known_ends: dict[str, Namesakes | None] = {}

    @property
    def paths(self) -> list[str]:
        """The paths of the files, sorted."""
        return sorted({path for _, path in self._files})

    def at(self, normal: str, spelling: str) -> Resolution | None:
        """Return the file with this path in normal form, or None.

        Args:
            normal: The path.
            spelling: The name as the link has it: it decides between files that differ in case or Unicode form only.
        """
        return _choose(self._between(normal, normal + "\0"), spelling)

    def nearest(self, folder: str, spelling: str, end: str = "") -> Resolution | None:
        """Return the file that is meant in a folder: one right in it, below it, at the vault's root, or anywhere.

        Among equally near ones the shortest path is taken, and the name is ambiguous.

        Args:
            folder: The folder's path in normal form; empty for the root.
            spelling: The name as the link has it.
            end: The end of path that all these files have; empty if they share another name than that of a file.
        """
        if not folder and not end:
            here = [file for file in self._files if "/" not in file[0]]
            return _choose(here, spelling) or self._anywhere(spelling)
        own = self.at(f"{folder}/{end}" if folder else end, spelling) if end else None
        if own or not folder:
            return own or self._anywhere(spelling)
        below = self._between(f"{folder}/", f"{folder}0")  # "0" comes next to the slash
        if not end:
            own = _choose([file for file in below if "/" not in file[0][len(folder) + 1 :]], spelling)
        return own or _choose(below, spelling) or (self.at(end, spelling) if end else None) or self._anywhere(spelling)

    def ending(self, end: str) -> Namesakes | None:
        """Return the files whose path in normal form is ``end`` or ends with it, part by part; None if none does."""
        if end not in self._known_ends:
            start, order = _from_its_end(end), self._from_their_ends
            files = [
                file
                for first, last in ((start, f"{start}\0"), (f"{start}/", f"{start}0"))  # "0" comes next to the slash
                for _, file in order[bisect_left(order, (first,)) : bisect_left(order, (last,))]
            ]
            self._known_ends[end] = Namesakes(files) if files else None
        return self._known_ends[end]

    def _anywhere(self, spelling: str) -> Resolution | None:
        found = _choose(self._shortest, spelling)
        if found and len(self._longer) > (found.path in self._longer):
            return Resolution(found.path, AMBIGUOUS_NAME)
        return found

    @cached_property
    def _longer(self) -> frozenset[str]:
        """The files that have another path in normal form than the shortest."""
        return frozenset(path for _, path in set(self._files).difference(self._shortest))

    @cached_property
    def _shortest(self) -> list[_File]:
        """The files with the shortest path in normal form, the first of several."""
        shortest = min((_length_first(normal) for normal, _ in self._files), default=None)
        return [file for file in self._files if _length_first(file[0]) == shortest]

    @cached_property
    def _from_their_ends(self) -> list[tuple[str, _File]]:
        """The files by their paths from the last part to the first, so that those with one end stand together."""
        return sorted((_from_its_end(file[0]), file) for file in self._files)

    def _between(self, first: str, last: str) -> list[_File]:
        """Return the files with paths in normal form from ``first`` to before ``last``."""
        return self._files[bisect_left(self._files, (first,)) : bisect_left(self._files, (last,))]


def _choose(files: Sequence[_File], spelling: str) -> Resolution | None:
    """Choose among equally near files."""
    if not files:
        return None
    normal = min((normal for normal, _ in files), key=_length_first)
    same = [path for each, path in files if each == normal]
    spelled = [path for path in same if _is_spelled(path, spelling)]
    chosen = (spelled or same)[0]
    others = {path for each, path in files if path != chosen and not (spelled and each == normal)}
    return Resolution(chosen, AMBIGUOUS_NAME if others else None)


def _from_its_end(path: str) -> str:
    return "/".join(reversed(path.split("/")))


def _length_first(normal: str) -> tuple[int, str]:
    return len(normal), normal


def _is_spelled(path: str, spelling: str) -> bool:
    return f"/{path}".endswith((f"/{spelling}", f"/{spelling}.md"))
