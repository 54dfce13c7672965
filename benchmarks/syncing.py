"""What a sync costs beside walking and stat-ing the files, in one run.

    python benchmarks/syncing.py [vault …]
    Options: --sizes N …, --rounds N, --store memory|chroma, --profile

Vaults of each size are made of copies of the notes given (of those in the folder of OBSIRAG_TEST_DATA, else of the
sample vault), each varied by a line of its own. "Walking" lists all folders and stats each file, and does nothing else:
whoever looks for changes cannot do less. A sync has its parts ready, as a program that keeps an index up to date has;
what making them costs, however large the vault, stands apart. The model is hashing, so that it is not what is measured.
CPU time, the fastest round.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from cProfile import Profile
from pathlib import Path
from pstats import Stats
from tempfile import TemporaryDirectory

from obsirag import RagConfig, Vault
from obsirag.catalogue import Catalogue
from obsirag.components.index import build_indexing_parts, open_indexer
from obsirag.indexing import run_sync

SAMPLE = Path(__file__).parent.parent / "examples"


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def walk(folder: str) -> int:
    """List all folders and stat each file; return how many there are."""
    count = 0
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    os.stat(entry.path)  # noqa: PTH116 - a Path would take most of the time
                    count += 1
    return count


def make_vault(root: Path, sources: list[Path], size: int) -> None:
    """Fill a folder with so many notes."""
    texts = [
        (f"{folder.name}/{path}", vault.read_bytes(path))
        for folder in sources
        for vault in [Vault(folder)]
        for path in vault.paths()
        if path.endswith(".md")
    ]
    for number in range(size):
        path, text = texts[number % len(texts)]
        copy = root / f"copy {number // len(texts)}" / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(text + f"\n\nNote number {number} of this vault.\n".encode())


class Subject:
    """A vault of some size and its index, up to date."""

    def __init__(self, folder: Path, sources: list[Path], size: int, store: str) -> None:
        self.vault = folder / "vault"
        make_vault(self.vault, sources, size)
        self.config = RagConfig(vault=self.vault, index=folder / "index", embeddings="hashing", vector_store=store)
        self.parts = build_indexing_parts(self.config)
        self.note = self.vault / Vault(self.vault).paths()[size // 2]
        self.first = self.sync()
        self.settle()

    def sync(self, profiler: Profile | None = None) -> float:
        """Bring the index up to date, and return the seconds that it took, from opening the catalogue to closing it."""
        with open_indexer(self.config, self.parts, Catalogue.open) as indexer:
            if profiler:
                profiler.enable()
            start = time.process_time()
            run_sync(indexer)
            indexer.catalogue.close()
            taken = time.process_time() - start
            if profiler:
                profiler.disable()
        return taken

    def sync_one_change(self, number: int) -> float:
        """Change a note, and return the seconds that the sync takes."""
        self.note.write_text(f"Other words, {number} of them.\n", encoding="utf-8")
        taken = self.sync()
        self.settle()
        return taken

    def settle(self) -> None:
        """Sync once more, since a file that has only just been written is looked at again."""
        time.sleep(0.05)
        self.sync()


def measure(subject: Subject, rounds: int) -> tuple[float, float, float]:
    """Return the seconds of walking, of a sync without and of one with a changed note, in turn in each round."""
    best = [float("inf")] * 3
    for number in range(rounds):
        taken = seconds(lambda: walk(str(subject.vault))), subject.sync(), subject.sync_one_change(number)
        best = [min(pair) for pair in zip(best, taken, strict=True)]
    return best[0], best[1], best[2]


def show_profile(subject: Subject) -> None:
    profiler = Profile()
    subject.sync(profiler)
    Stats(profiler).sort_stats("tottime").print_stats(25)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vaults", nargs="*", type=Path)
    arguments.add_argument("--sizes", nargs="+", type=int, default=[700, 7000])
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--store", choices=("memory", "chroma"), default="memory")
    arguments.add_argument("--profile", action="store_true")
    given = arguments.parse_args()
    data = os.environ.get("OBSIRAG_TEST_DATA")
    root = Path(data, "vaults") if data else SAMPLE
    sources = given.vaults or sorted(each for each in root.iterdir() if each.is_dir())
    print(f"{'notes':>6}{'walking':>11}{'unchanged':>11}{'x walking':>11}{'one note':>11}{'beyond unchanged':>18}")
    for size in given.sizes:
        with TemporaryDirectory() as folder:
            subject = Subject(Path(folder), sources, size, given.store)
            walking, unchanged, changed = measure(subject, given.rounds)
            print(
                f"{size:6}{walking * 1e3:8.1f} ms{unchanged * 1e3:8.1f} ms{unchanged / walking:11.2f}"
                f"{changed * 1e3:8.1f} ms{(changed - unchanged) * 1e3:15.1f} ms   (first sync {subject.first:.1f} s)"
            )
            making = min(seconds(lambda made=subject: build_indexing_parts(made.config)) for _ in range(given.rounds))  # type: ignore[misc]
            print(f"       making the parts: {making * 1e3:.1f} ms")
            if given.profile:
                show_profile(subject)


if __name__ == "__main__":
    main()
