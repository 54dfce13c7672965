"""The real thing: processes that are killed while they write to SQLite and Chroma."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import index_worlds
from index_worlds import Clock, World

KILLS = int(os.environ.get("OBSIRAG_KILLS", "6"))


class DeadlyClock(Clock):
    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def main(folder: str, last: int, batch_size: int) -> None:
    world = World(Path(folder), "chroma")
    world.clock.__class__ = DeadlyClock
    world.sync_until(last, batch_size=batch_size)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_whenever_it_is_killed_the_index_is_whole_again_after_the_next_run(tmp_path: Path) -> None:
    chance = random.Random(7)
    folder = tmp_path / "world"
    vault = folder / "vault"
    (vault / "sub").mkdir(parents=True)
    codes = []
    for number in range(KILLS):
        change(vault, chance, number)
        command = [sys.executable, __file__, str(folder), str(chance.randrange(6, 40)), str(chance.choice([1, 2, 100]))]
        environment = {**os.environ, "PYTHONPATH": str(Path(index_worlds.__file__).parent)}
        codes.append(subprocess.run(command, env=environment, timeout=120, check=False).returncode)
    assert set(codes) <= {0, -signal.SIGKILL}
    assert -signal.SIGKILL in codes
    world = World(folder, "chroma")
    world.sync()
    fresh = World(tmp_path / "fresh", "chroma", vault)
    fresh.sync()
    assert world.state() == fresh.state()
    report = world.sync()
    assert (world.embeddings.calls, world.opened, len(report.unchanged)) == ([], 0, len(list(vault.rglob("*.md"))))


def change(vault: Path, chance: random.Random, number: int) -> None:
    for path in chance.sample(["a.md", "b.md", "sub/c.md", "sub/d.md", "e.md"], 3):
        (vault / path).write_text(f"words {number} of {path}\n\n![[{chance.choice('abcde')}]]\n", encoding="utf-8")
    for path in chance.sample(sorted(vault.rglob("*.md")), 1):
        if chance.random() < 0.5:
            path.rename(path.with_name(f"moved {number}.md"))
        else:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
