"""Indexing with Ray in tests: a plugin whose parts tell what they do and die when told to, and runs with it."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index_worlds import content_of
from obsirag import RagConfig, index_vault
from obsirag.catalogue import Catalogue

PLUGIN = """
import os, signal, time
from pathlib import Path
from obsirag import hookimpl
from obsirag.cleaning import CleaningStep
from obsirag.plugins.hashing import HashingEmbeddings

def tell(folder, what):
    with (folder / what).open("a") as told:
        told.write(f"{os.getpid()}\\n")

def die_if_told(folder, what):
    try:
        (folder / f"die at {what}").unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)

class Trial(HashingEmbeddings):
    def __init__(self, folder):
        super().__init__(16)
        self.model_id, self._folder, self.batch_size = "trial", folder, 10

    def embed_documents(self, texts):
        tell(self._folder, "embedding")
        die_if_told(self._folder, "embedding")
        if (self._folder / "down").exists():
            raise ConnectionError("no such host")
        if (self._folder / "slow").exists():
            time.sleep(0.2)
        return super().embed_documents(texts)

@hookimpl
def embeddings(options):
    return Trial(Path(options["folder"]))

@hookimpl
def cleaner(options):
    folder = Path(options["folder"])
    def find(text):
        tell(folder, "cleaning")
        die_if_told(folder, "cleaning")
        if "DEADLY" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return ()
    return CleaningStep("trial", find)
"""


@contextmanager
def ray_with_trial_parts(site: Path) -> Iterator[Any]:
    """Install the plugin ``trial`` for this process and for workers, and lend a Ray with room for four of them."""
    ray = pytest.importorskip("ray", reason="needs the extra `ray`")
    info = site / "trial-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: trial\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[obsirag]\ntrial = ray_trial_parts\n")
    (site / "ray_trial_parts.py").write_text(PLUGIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        patch.setenv("PYTHONPATH", ":".join(path for path in sys.path if path))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        try:
            ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
            yield ray
        finally:
            ray.shutdown()


class RayWorld:
    """A vault with notes that embed and link each other, and indexes of it.

    Args:
        folder: An empty folder.
        notes: Number of notes.
    """

    def __init__(self, folder: Path, notes: int) -> None:
        self.folder = folder
        self.told = folder / "told"
        self.told.mkdir()
        self.vault = folder / "vault"
        self.vault.mkdir()
        for number in range(notes):
            text = f"---\naliases: [n{number}]\n---\n# Note {number}\n\nWords of {number}. [[n{number // 2}]]\n\n"
            more = f"![[note {number // 3}#Note {number // 3}]]\n" if number % 3 == 1 else "```py\nx = 1\n```\n"
            (self.vault / f"note {number}.md").write_text(text + more, encoding="utf-8")

    def config(self, index: str, engine: str = "ray", **more: Any) -> RagConfig:
        part = {"name": "trial", "folder": str(self.told)}
        settings: dict[str, Any] = {
            "vault": self.vault,
            "index": self.folder / index,
            "embeddings": part,
            "vector_store": "memory",
            "cleaning": {"steps": [part]},
            "indexing": {"engine": engine, "workers": 2, "batch_size": 10},
        }
        return RagConfig(**(settings | more))

    def tell(self, what: str) -> None:
        (self.told / what).touch()

    def count(self, what: str) -> int:
        """Return how often the parts did something, in whatever process."""
        file = self.told / what
        return file.read_text().count("\n") if file.exists() else 0

    def content(self, config: RagConfig) -> dict[str, Any]:
        """Return what an index holds, its vectors included."""
        return indexed(config)

    def fresh(self) -> dict[str, Any]:
        """Return what an index holds that was made in this process."""
        config = self.config("fresh", "local")
        assert not index_vault(config).failed
        return indexed(config)

    def start(self, index: str) -> Any:
        """Index in another process, and return it."""
        process = multiprocessing.get_context("spawn").Process(target=_index, args=(self.config(index),))
        process.start()
        return process


def indexed(config: RagConfig) -> dict[str, Any]:
    """Return what the index of a configuration holds in its catalogue, its vectors included."""
    with Catalogue.open(config.index) as catalogue:
        content = content_of(catalogue)
        with catalogue.reading() as connection:
            rows = connection.execute("SELECT model, content_hash, vector FROM embeddings ORDER BY 1, 2").fetchall()
    return content | {"vectors": [(model, name, np.frombuffer(vector, "f4").tolist()) for model, name, vector in rows]}


def _index(config: RagConfig) -> None:
    index_vault(config)
