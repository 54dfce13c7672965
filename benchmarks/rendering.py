"""How fast notes are scanned and rendered, beside Markdown parsers, as multiples in one run.

    python benchmarks/rendering.py [VAULT …]         the vaults of OBSIRAG_TEST_DATA, or the sample vault
    options: --rounds N, --hostile (growth on hostile text), --vault-size N (opening a vault of N notes), --profile

Needs markdown-it-py, which comes with rich, and mistune for its row. All read the same texts, without front matter, one
after the other in each round; the fastest CPU time counts. The "line loop" splits a text into lines, looks at each
line's first character and makes nothing: nobody who reads Markdown in Python can be faster. markdown-it-py finds blocks
only. Rendering is `Vault.render` for notes that were read and decoded already: links resolved, embeds filled in,
metadata and diagnostics made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Callable, Iterable
from cProfile import Profile
from pathlib import Path
from pstats import Stats
from tempfile import TemporaryDirectory
from typing import Any

from markdown_it import MarkdownIt

from obsirag import Vault
from obsirag.markdown import scan, split_front_matter
from obsirag.vault.reader import parse_source
from obsirag.vault.rendering import render

SAMPLE = Path(__file__).parent.parent / "examples"
HOSTILE = (
    "[[",
    "> ",
    "`",
    "%%",
    "$",
    "![[a",
    "- ",
    "#",
    "|",
    "<a ",
    "*",
    "]](",
    "\\",
    "$$\n",
    "%% a\n\n",
    "- a\n  > b\n",
    "^a ",
)


def line_loop(text: str) -> tuple[int, int, int, int]:
    headings = quotes = lists = others = 0
    in_fence = False
    for line in text.split("\n"):
        if not line:
            continue
        first = line[0]
        if first == "`" and line.startswith("```"):
            in_fence = not in_fence
        elif in_fence:
            others += 1
        elif first == "#":
            headings += 1
        elif first == ">":
            quotes += 1
        elif first in "-*+ \t0123456789":
            lists += 1
        else:
            others += 1
    return headings, quotes, lists, others


def cpu_seconds(work: Callable[[Any], object], inputs: Iterable[Any]) -> float:
    start = time.process_time()
    for each in inputs:
        work(each)
    return time.process_time() - start


class Notes:
    """The notes of some vaults, as bytes, so that they can be read anew for each round."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.files: list[tuple[Vault, str, bytes]] = []
        for vault in map(Vault, folders):
            self.files += [
                (vault, path, vault.file(path).read_bytes()) for path in vault.paths() if path.endswith(".md")
            ]

    def texts(self) -> list[str]:
        """Return the notes' texts without front matter."""
        decoded = [data.decode("utf-8", "replace") for _, _, data in self.files]
        return [text[split_front_matter(text)[1] :] for text in decoded]

    def rendering(self) -> tuple[Callable[[Any], object], list[Any]]:
        """Return what renders a note, and the notes, nothing known of them yet but their text."""
        for vault in {id(vault): vault for vault, _, _ in self.files}.values():
            vault.paths()  # forgets what names resolved to
            vault.resolve("a name that no note has", source="")  # reads the aliases
        inputs = [(parse_source(path, data), vault) for vault, path, data in self.files]
        return lambda each: render(each[0], each[1]._linker, each[1]._options), inputs


def compare(notes: Notes, rounds: int) -> None:
    texts = notes.texts()
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    works: dict[str, Callable[[Any], object]] = {
        "line loop": line_loop,
        "scan": scan,
        "markdown-it-py, blocks": parser.parse,
    }
    try:
        import mistune

        works["mistune"] = mistune.create_markdown(renderer="ast")
    except ImportError:
        print("mistune is not installed and left out")
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = min(best.get(name, 1e9), cpu_seconds(work, texts))
        work, inputs = notes.rendering()
        best["render"] = min(best.get("render", 1e9), cpu_seconds(work, inputs))
        read = cpu_seconds(lambda each: parse_source(each[1], each[2]), notes.files)
        best["read, decode, front matter"] = min(best.get("read, decode, front matter", 1e9), read)
    size = sum(map(len, texts))
    print(f"{len(texts)} notes, {size / 1e6:.2f} million characters")
    print(f"{'':28}{'MB/s':>8}{'of the loop':>13}{'x markdown-it':>15}")
    for name, seconds in sorted(best.items(), key=lambda item: item[1]):
        loop, parsed = best["line loop"] / seconds, best["markdown-it-py, blocks"] / seconds
        print(f"{name:28}{size / seconds / 1e6:8.1f}{loop:13.3f}{parsed:15.1f}")


def show_growth(rounds: int) -> None:
    """Print how scanning and rendering hostile text grows with its length; 4 is linear, 16 quadratic."""
    print(f"{'unit':16}{'scan 4n / n':>14}{'render 4n / n':>16}")
    for unit in HOSTILE:
        ratios = []
        for work in (scan, _render_alone):
            short, long = (min(cpu_seconds(work, [unit * size]) for _ in range(rounds)) for size in (25_000, 100_000))
            ratios.append(long / short)
        print(f"{unit!r:16}{ratios[0]:14.1f}{ratios[1]:16.1f}")


def _render_alone(text: str) -> object:
    with TemporaryDirectory() as folder:
        Path(folder, "a.md").write_text(text, encoding="utf-8")
        return Vault(folder).render("a.md")


def open_large_vault(folders: list[Path], size: int, profile: bool) -> None:
    """Print what a vault of ``size`` notes costs to open and check, beside reading its bytes once."""
    with TemporaryDirectory() as name:
        root = Path(name)
        paths = [(folder, path) for folder in folders for path in Vault(folder).paths()]
        for number in range(size):
            folder, path = paths[number % len(paths)]
            copy = root / f"copy {number // len(paths)}" / folder.name / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / path, copy)
        vault = Vault(root)
        listed = vault.paths()
        bytes_once = cpu_seconds(lambda path: vault.file(path).read_bytes().decode("utf-8", "replace"), listed)
        scanned = cpu_seconds(lambda path: scan(vault.file(path).read_bytes().decode("utf-8", "replace")), listed)
        vault = Vault(root)
        profiler = Profile() if profile else None
        start = time.process_time()
        if profiler:
            profiler.enable()
        found = len(vault.diagnostics)
        if profiler:
            profiler.disable()
        taken = time.process_time() - start
        print(f"{len(listed)} notes, {found} diagnostics: reading {bytes_once:.2f} s, with scanning {scanned:.2f} s,")
        print(f"opening and checking {taken:.2f} s, {taken / scanned:.1f} times reading and scanning")
        if profiler:
            Stats(profiler).sort_stats("tottime").print_stats(20)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vaults", nargs="*", type=Path)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--hostile", action="store_true")
    arguments.add_argument("--vault-size", type=int)
    arguments.add_argument("--profile", action="store_true")
    given = arguments.parse_args()
    data = os.environ.get("OBSIRAG_TEST_DATA")
    root = Path(data, "vaults") if data else SAMPLE
    folders = given.vaults or sorted(each for each in root.iterdir() if each.is_dir())
    if given.hostile:
        show_growth(given.rounds)
    elif given.vault_size:
        open_large_vault(folders, given.vault_size, given.profile)
    else:
        compare(Notes(folders), given.rounds)


if __name__ == "__main__":
    main()
