"""``obsirag check --typos``, with a server that speaks OpenAI's protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

WRONG = {"recieve": "receive", "以经": "已经"}


@contextmanager
def speller(status: int = 200) -> Iterator[str]:
    """Serve a chat model that knows two mistakes, or one that fails; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = asked["messages"][-1]["content"]
            typos = [
                {"number": int(number), "word": word, "suggestion": right}
                for number, line in re.findall(r"^\[(\d+)\] (.*)$", text, re.MULTILINE)
                for word, right in WRONG.items()
                if word in line
            ]
            message = {"role": "assistant", "content": json.dumps({"typos": typos})}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
            said = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": choices,
                "usage": usage,
            }
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@pytest.fixture
def vault(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "a.md").write_text("# One\n\nYou recieve it.\n", encoding="utf-8")
    (folder / "b.md").write_text("这个问题以经好了。\n", encoding="utf-8")
    return folder


def configured(vault, address, **more):
    file = vault.parent / "obsirag.json.yaml"
    model = {"name": "openai", "model": "m", "base_url": address, "api_key": "k", "max_retries": 0}
    file.write_text(json.dumps({"vault": str(vault), "chat_model": model, **more}), encoding="utf-8")
    return file


def contents(vault):
    return {file.name: file.read_bytes() for file in vault.rglob("*")}


def test_it_prints_and_writes_what_looks_misspelt_and_asks_once(run, vault, tmp_path):
    before = contents(vault)
    with speller() as address:
        file = configured(vault, address)
        result = run("check", "--typos", "--config", file, "--report", tmp_path / "report")
        again = run("check", "--typos", "--config", file, "--json")
    assert result.exit_code == again.exit_code == 1
    assert "3:5  recieve → receive" in result.stdout
    assert "这个问题⟦以经⟧好了。" in result.stdout
    assert "2 words look misspelt in 2 notes (3 sentences; 2 calls" in result.stdout
    assert {each.name for each in (tmp_path / "report").iterdir()} == {"typos.md", "typos.json"}
    told = json.loads(again.stdout)
    assert (told["calls"], told["complete"], len(told["typos"])) == (0, True, 2)
    assert contents(vault) == before
    assert list((tmp_path / "cache").rglob("model-answers.sqlite3"))


def test_nothing_found_is_success_and_a_bound_is_not(run, vault):
    (vault / "a.md").write_text("All is well.\n", encoding="utf-8")
    (vault / "b.md").unlink()
    with speller() as address:
        file = configured(vault, address, index=str(vault / "index"))
        bounded = run("check", "--typos", "--config", file, "--max-calls", "0")
        result = run("check", "--typos", "--config", file)
    assert bounded.exit_code == 1
    assert "Not checked: 1 sentences in 1 notes, since the bound" in bounded.stdout
    assert (result.exit_code, result.stdout.startswith("No word looks misspelt in 1 notes")) == (0, True)
    assert [each.name for each in vault.iterdir()] == ["a.md"], "an index in the vault is no place for answers"


def test_a_server_that_fails_leaves_a_partial_report(run, vault, tmp_path):
    with speller(status=500) as address:
        file = configured(vault, address, index=str(tmp_path / "index"))
        result = run("check", "--typos", "--config", file, "--report", tmp_path / "report")
    assert result.exit_code == 1
    assert "since the chat model failed" in result.stdout
    told = json.loads((tmp_path / "report" / "typos.json").read_text(encoding="utf-8"))
    assert (told["complete"], sum(each["sentences"] for each in told["unchecked"])) == (False, 3)


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["--typos"], 1, "chat_model: {name: openai"),
        (["--typos", "--strict"], 2, "--typos goes with none of"),
        (["--typos", "--code", "broken-link"], 2, "--typos goes with none of"),
        (["--max-calls", "3"], 2, "go with --typos"),
        (["--typos", "--report", "IN"], 2, "lies in the vault"),
        (["--typos", "--report", "FILE"], 2, "is no folder"),
        (["--typos", "--max-calls", "-1"], 2, "max-calls"),
    ],
)
def test_what_cannot_be_done_is_said(run, vault, tmp_path, arguments, status, told):
    file = tmp_path / "file"
    file.touch()
    places = {"IN": vault / "report", "FILE": file}
    result = run("check", vault, *(places.get(each, each) for each in arguments))
    assert result.exit_code == status
    assert told in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.stderr).split())
    assert not (vault / "report").exists()
