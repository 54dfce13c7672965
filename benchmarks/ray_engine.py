"""Indexing in this process, with one Ray worker and with two, in one run.

    python benchmarks/ray_engine.py [vault …]
    Options: --notes N, --workers N …, --delay SECONDS, --rounds N

A vault of so many notes is made of what the vaults say that are given, else those in the folder of OBSIRAG_TEST_DATA,
else the sample vault. "making" is indexing with vectors of 8 numbers, where nearly all is reading, rendering, cutting
and writing. "embedding" asks a server that takes so many seconds for each call of 32 texts, one call at a time from
each worker, for a quarter of the notes. What comes before the first note is told apart: the start of the workers.
The processor time of this process, the workers' left out, says where it becomes the limit.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import ray

from obsirag import RagConfig, index_vault
from syncing import SAMPLE, make_vault


def main() -> None:
    given = parse_arguments()
    ray.init(address="local", num_cpus=max(given.workers), include_dashboard=False, log_to_driver=False)
    with TemporaryDirectory() as folder, slow_server(given.delay) as address:
        server = {"name": "openai", "model": "m", "base_url": address, "api_key": "none", "batch_size": 32}
        subjects: dict[str, tuple[int, dict[str, Any]]] = {
            "making": (given.notes, {"name": "hashing", "dimensions": 8}),
            "embedding": (given.notes // 4, server),
        }
        for name, (notes, embeddings) in subjects.items():
            vault = Path(folder, name)
            make_vault(vault, given.vaults, notes)
            for round_number in range(given.rounds):
                for workers in (0, *given.workers):
                    config = RagConfig(
                        vault=vault,
                        index=Path(folder, f"{name} {workers} {round_number}"),
                        embeddings=embeddings,
                        vector_store="memory",
                        indexing={"engine": "ray" if workers else "local", "workers": workers or 1, "concurrency": 1},
                    )
                    report(name, config, workers)


def report(name: str, config: RagConfig, workers: int) -> None:
    begun: list[float] = []
    start, worked = time.perf_counter(), time.process_time()
    result = index_vault(config, progress=lambda *_: begun.append(time.perf_counter()) if not begun else None)
    here = (time.process_time() - worked) / result.chunks * 1e3
    taken, first = time.perf_counter() - begun[0], begun[0] - start
    where, load = f"{workers} workers" if workers else "this process", os.getloadavg()[0]
    print(
        f"{name}, {where}: {len(result.added) / taken:.0f} notes a second, {result.chunks / taken:.0f} chunks, "
        f"{here:.2f} ms of this process's processor time a chunk "
        f"({first:.1f} s until the first note; load {load:.1f})",
        flush=True,
    )


@contextmanager
def slow_server(delay: float) -> Iterator[str]:
    """Lend the address of a server that takes a while for each call, and does nothing meanwhile."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            time.sleep(delay)
            rows = [{"object": "embedding", "index": at, "embedding": [1.0] * 8} for at in range(len(texts))]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            body = json.dumps({"object": "list", "model": "m", "data": rows, "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def parse_arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vaults", nargs="*", type=Path)
    arguments.add_argument("--notes", type=int, default=1200)
    arguments.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    arguments.add_argument("--delay", type=float, default=0.4)
    arguments.add_argument("--rounds", type=int, default=2)
    given = arguments.parse_args()
    data = os.environ.get("OBSIRAG_TEST_DATA")
    root = Path(data, "vaults") if data else SAMPLE
    given.vaults = given.vaults or sorted(each for each in root.iterdir() if each.is_dir())
    return given


if __name__ == "__main__":
    main()
