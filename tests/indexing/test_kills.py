"""The real thing: processes that are killed while they write to SQLite, Chroma and Milvus Lite."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from index_worlds import World
from killed_runs import exit_code_of_sync

KILLS = int(os.environ.get("OBSIRAG_KILLS", "6"))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
@pytest.mark.parametrize("store", ["chroma", "memory", "milvus"])
def test_whenever_it_is_killed_the_index_is_whole_again_after_the_next_run(tmp_path: Path, store: str) -> None:
    if store == "milvus":
        pytest.importorskip("milvus_lite")
    chance = random.Random(7)
    folder = tmp_path / "world"
    vault = folder / "vault"
    (vault / "sub").mkdir(parents=True)
    codes = []
    for number in range(KILLS):
        change(vault, chance, number)
        last, batch_size = chance.randrange(2, 40), chance.choice([1, 2, 100])
        codes.append(exit_code_of_sync(folder, store, last, batch_size, rebuild=chance.random() < 0.25))
    assert set(codes) <= {0, -signal.SIGKILL}
    assert -signal.SIGKILL in codes
    print(f"{codes.count(-signal.SIGKILL)} of {KILLS} runs were killed")
    world = World(folder, store)
    world.sync()
    fresh = World(tmp_path / "fresh", store, vault)
    fresh.sync()
    assert world.state() == fresh.state()
    report = world.sync()
    assert (world.embeddings.calls, len(report.unchanged)) == ([], len(list(vault.rglob("*.md"))))
    assert store == "memory" or world.opened == 0


def change(vault: Path, chance: random.Random, number: int) -> None:
    for path in chance.sample(["a.md", "b.md", "sub/c.md", "sub/d.md", "e.md"], 3):
        (vault / path).write_text(f"words {number} of {path}\n\n![[{chance.choice('abcde')}]]\n", encoding="utf-8")
    for path in chance.sample(sorted(vault.rglob("*.md")), 1):
        if chance.random() < 0.5:
            path.rename(path.with_name(f"moved {number}.md"))
        else:
            path.unlink()
