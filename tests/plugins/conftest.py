"""Distributions and servers for the tests of the plugins."""

import importlib
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Installs a distribution: a real dist-info folder and real modules, on a path that Python searches."""
    before = set(sys.modules)

    def put(distribution: str, *, declares: dict[str, str], modules: dict[str, str], metadata: bool = True) -> Path:
        site = tmp_path / f"site-{distribution}"
        info = site / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        if metadata:
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in declares.items())
        (info / "entry_points.txt").write_text(f"[obsirag]\n{lines}")
        for name, source in modules.items():
            (site / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(str(site))
        importlib.invalidate_caches()
        return site

    yield put
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@dataclass
class FakeServer:
    """A small server that is told what to answer, on this machine.

    Args:
        address: Where it listens.
        answers: What it does, by path: a status and a body to send, or a function of the request's body.
        requests: What came in: path, headers, body.
    """

    address: str
    answers: dict[str, Any] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            path = self.path.removeprefix("/v1")
            fake.requests.append((path, {name.lower(): value for name, value in self.headers.items()}, body))
            answer = fake.answers.get(path, (404, {"error": {"message": "nothing here", "code": "not_found"}}))
            status, content = answer(body) if callable(answer) else answer
            kind = "application/json"
            if isinstance(content, str):
                kind, data = ("text/event-stream" if content.startswith("data:") else "text/html"), content.encode()
            else:
                data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data) + (100 if "BREAK" in str(content) else 0)))
            self.send_header("Connection", "close")
            self.end_headers()
            with suppress(ConnectionError):  # whoever asked may have given up
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        fake = FakeServer(f"http://127.0.0.1:{http.server_address[1]}/v1")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield fake
        http.shutdown()
        thread.join()
