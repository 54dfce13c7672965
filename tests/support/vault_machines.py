"""A vault that people change in all the ways in which a vault changes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from index_worlds import World

PATHS = ["alpha.md", "beta.md", "sub/alpha.md", "sub/gamma.md", "delta.md"]

paths = st.sampled_from(PATHS)
new_paths = st.sampled_from(["gamma.md", "sub/beta.md", "epsilon.md", "sub/alpha.md", "alpha.md"])
numbers = st.integers(0, 9)
texts = st.one_of(
    st.builds("plain words {} and other words {}".format, numbers, numbers),
    st.builds("# Part\n\nother words {} under it ^mark".format, numbers),
    st.builds("同样的文字{}".format, numbers),
    numbers.map(lambda number: f"many words {number} " * 8),
)
targets = st.sampled_from(
    ["alpha", "beta", "sub/alpha", "gamma", "Nick", "Nick#Part", "alpha#Part", "beta#^mark", "picture.png"]
)
embeds = targets.map("![[{}]]".format)
links = targets.map("see [[{}]] there".format)
bodies = st.lists(st.one_of(texts, texts, embeds, embeds, links), min_size=1, max_size=4)
aliases = st.sampled_from([[], ["Nick"], ["gamma", "Nick"]])
labels = st.sampled_from([[], ["boss"], ["team"], ["boss", "team"]])


class Note:
    """What stands in a note."""

    def __init__(self) -> None:
        self.front: dict[str, list[str]] = {"aliases": [], "permissions": []}
        self.body: list[str] = []

    def __str__(self) -> str:
        front = "".join(f"{name}: [{', '.join(values)}]\n" for name, values in self.front.items())
        return f"---\n{front}---\n" + "\n\n".join(self.body) + "\n"


class VaultMachine(RuleBasedStateMachine):
    """A world whose vault changes; the index is left to others."""

    store = "kept"

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.world = World(Path(self.folder.name) / "world", self.store)
        self.world.write("always.md", "a vault without notes is refused")
        self.notes: dict[str, Note] = {}

    def teardown(self) -> None:
        self.world.catalogue.close()
        self.folder.cleanup()

    @rule(path=paths, body=bodies, labels=labels)
    def write(self, path: str, body: list[str], labels: list[str]) -> None:
        self.change(path).body = body
        self.restrict(path, labels)

    @rule(path=paths, embed=embeds)
    def embed(self, path: str, embed: str) -> None:
        self.change(path).body.append(embed)
        self.save(path)

    @rule(path=paths, aliases=aliases)
    def name(self, path: str, aliases: list[str]) -> None:
        self.change(path).front["aliases"] = aliases
        self.save(path)

    @rule(path=paths, labels=labels)
    def restrict(self, path: str, labels: list[str]) -> None:
        self.change(path).front["permissions"] = labels
        self.save(path)

    @rule(path=paths)
    def edit_unseen(self, path: str) -> None:
        """Change a note so that neither its size nor its time tells."""
        if path not in self.notes:
            return
        before = (self.world.vault / path).stat()
        swapped = {"plain": "other", "other": "plain"}
        note = self.notes[path]
        note.body = [" ".join(swapped.get(word, word) for word in part.split(" ")) for part in note.body]
        self.save(path)
        os.utime(self.world.vault / path, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(old=st.one_of(paths, new_paths), new=new_paths)
    def rename(self, old: str, new: str) -> None:
        """Give a note another path; if that is taken, the two change places."""
        if old in self.notes and old != new:
            taken = self.notes.pop(new, None)
            if taken:
                self.world.rename(new, "between")
            self.notes[new] = self.notes.pop(old)
            self.world.rename(old, new)
            if taken:
                self.notes[old] = taken
                self.world.rename("between", old)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        if self.notes.pop(path, None):
            self.world.remove(path)

    @rule(is_there=st.booleans())
    def picture(self, is_there: bool) -> None:
        picture = self.world.vault / "picture.png"
        picture.write_bytes(b"png") if is_there else picture.unlink(missing_ok=True)

    def change(self, path: str) -> Note:
        return self.notes.setdefault(path, Note())

    def save(self, path: str) -> None:
        self.world.write(path, str(self.notes[path]))
