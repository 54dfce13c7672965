"""Small servers that speak the protocols of the built-in parts, on this machine."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from obsirag.plugins.hashing import HashingEmbeddings

__all__ = ["ModelServer", "SearchServer"]


class _Server:
    """Answers posts by ``answer(path, body)``, which returns JSON, or text for a stream of events."""

    def __enter__(self) -> Self:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                came = server.answer(self.path.removeprefix("/v1"), body)
                is_stream = isinstance(came, str)
                data = came.encode() if is_stream else json.dumps(came).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Connection", "close")
                self.end_headers()
                with suppress(ConnectionError):  # whoever asked may have given up
                    self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, path: str, body: Any) -> Any:
        raise NotImplementedError


class ModelServer(_Server):
    """A chat model that counts, and knows JSON schemas and functions; embeddings of shared words."""

    def __init__(self) -> None:
        self._embeddings = HashingEmbeddings(256)

    def answer(self, path: str, body: Any) -> Any:
        if path == "/embeddings":
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            data = [
                {"object": "embedding", "index": index, "embedding": vector}
                for index, vector in enumerate(self._embeddings.embed_documents(texts))
            ]
            return {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        read = sum(len(str(each["content"])) for each in body["messages"])
        usage = {"prompt_tokens": read, "completion_tokens": 9, "total_tokens": read + 9}
        fruit = '{"name": "apple", "is_sweet": true}'
        message: dict[str, Any] = {"role": "assistant", "content": "one, two, three, four"}
        if body.get("response_format", {}).get("type") in ("json_schema", "json_object"):
            message["content"] = fruit
        if body.get("tools"):
            call = {"id": "1", "type": "function", "index": 0, "function": {"name": "Fruit", "arguments": fruit}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        whole = {"id": "1", "created": 1, "model": "m", "usage": usage}
        if not body.get("stream"):
            return {**whole, "object": "chat.completion", "choices": [_choice(message=message, reason="stop")]}
        pieces: list[dict[str, Any]] = [message]
        if message["content"]:
            pieces = [{"role": "assistant", "content": f"{piece} "} for piece in message["content"].split(" ")]
        chunks = [{**whole, "usage": None, "choices": [_choice(delta=each, reason=None)]} for each in pieces]
        last = {**whole, "choices": [_choice(delta={}, reason="stop")]}
        events = [json.dumps({**each, "object": "chat.completion.chunk"}) for each in (*chunks, last)]
        return "".join(f"data: {each}\n\n" for each in (*events, "[DONE]"))


class SearchServer(_Server):
    """A web of three pages, one of which cannot be read."""

    _PAGES = ("https://a.example.org/1", "https://b.example.com/", "https://c.example.net/")

    def answer(self, path: str, body: Any) -> Any:
        if path == "/extract":
            read = [url for url in body["urls"] if url in self._PAGES[:2]]
            failed = [{"url": url, "error": "no"} for url in body["urls"] if url not in read]
            pages = [{"url": url, "raw_content": f"# Page\n\nOf {url}."} for url in read]
            return {"results": pages, "failed_results": failed}
        wanted, unwanted = body.get("include_domains") or (), body.get("exclude_domains") or ()
        found = [
            {"url": url, "title": "A page", "content": "A snippet.", "score": 0.9 - number / 10}
            for number, url in enumerate(self._PAGES)
            if (not wanted or any(each in url for each in wanted)) and not any(each in url for each in unwanted)
        ]
        return {"query": body["query"], "images": [], "results": found[: body["max_results"]], "response_time": 0.1}


def _choice(reason: str | None, **content: Any) -> dict[str, Any]:
    return {"index": 0, "finish_reason": reason, **content}
