"""The notes over MCP by HTTP: the same, for several clients at once, on this machine alone."""

import asyncio
import signal
import sys
from contextlib import asynccontextmanager

import pytest

from mcp_servers import config_file, http_server
from tool_worlds import small_world

pytest.importorskip("mcp")
httpx = pytest.importorskip("httpx")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, signals are sent in another way")
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("http"))


@pytest.fixture(scope="module")
def address(world, tmp_path_factory):
    with http_server(config_file(world), errors=tmp_path_factory.mktemp("log") / "log") as (address, _):
        yield address


@asynccontextmanager
async def session_at(address):
    from mcp.client.streamable_http import streamable_http_client

    from mcp import ClientSession

    async with (
        asyncio.timeout(90),
        streamable_http_client(address) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


async def test_clients_at_once_get_their_answers(address):
    async def asked(question, word):
        async with session_at(address) as session:
            assert len((await session.list_tools()).tools) == 3
            result = await session.call_tool("ask_notes", {"question": question})
            assert word in result.content[0].text
            assert (await session.call_tool("read_note", {"path": "Secret.md"})).isError

    await asyncio.gather(*[asked("回滚 release 流需要什么？", "两位主管"), asked("What is public?", "plumbus")] * 1)


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Origin": "https://evil.example"}],
)
async def test_a_page_of_elsewhere_is_not_answered(address, headers):
    async with httpx.AsyncClient() as client:
        assert (await client.post(address, json=CALL, headers=HEADERS)).status_code == 200
        answer = await client.post(address, json=CALL, headers={**HEADERS, **headers})
    assert answer.status_code in (403, 421)


async def test_it_listens_on_this_machine_alone(address):
    port = int(address.rpartition(":")[2].partition("/")[0])
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()
    with pytest.raises(OSError):
        await asyncio.wait_for(asyncio.open_connection("127.0.0.2", port), 5)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_it_with_a_client_there(world, tmp_path, sent):
    log = tmp_path / "log"
    with http_server(config_file(world), errors=log) as (address, process):
        async with httpx.AsyncClient() as client:
            await client.post(address, json=CALL, headers=HEADERS)
            process.send_signal(sent)
            await asyncio.to_thread(process.wait, 20)
    assert process.returncode in (0, 130, -sent)
    assert "Traceback" not in log.read_text("utf-8")
    assert "plumbus" not in log.read_text("utf-8")


async def test_whoever_opens_it_to_others_is_warned(world, tmp_path):
    log = tmp_path / "log"
    with http_server(config_file(world), "--host", "0.0.0.0", errors=log):
        assert "whoever reaches it" in log.read_text("utf-8")
