"""The notes over MCP, by the SDK's own client, to a server in a process of its own."""

import asyncio
import json
import signal
import subprocess
import sys

import pytest

from mcp_servers import INITIALIZE, INITIALIZED, MAIN, config_file, hear, raw_server, say, stdio_session
from obsirag import note_tools
from tool_worlds import forbidden_words, small_world

pytest.importorskip("mcp")

CALLS = [
    ("search_notes", {"query": "回滚 release 流需要什么？"}),
    ("search_notes", {"query": "plumbus"}),
    ("read_note", {"path": "Host.md"}),
    ("read_note", {"path": "值班"}),
    ("ask_notes", {"question": "回滚 release 流需要什么？"}),
    ("ask_notes", {"question": "What is public?"}),
]
MINUTES = 60.0


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("mcp"))


@pytest.fixture(autouse=True)
async def within_time():
    async with asyncio.timeout(2 * MINUTES):
        yield


async def test_it_says_what_it_is_and_what_it_can(world):
    async with stdio_session(config_file(world)) as session:
        assert session.told.serverInfo.name == "obsirag"
        assert "'vault'" in session.told.instructions
        tools = (await session.list_tools()).tools
    assert [tool.name for tool in tools] == ["search_notes", "read_note", "ask_notes"]
    for tool, own in zip(tools, note_tools(world), strict=True):
        assert tool.description == own.description
        assert set(tool.inputSchema["properties"]) == set(own.args)
        assert tool.inputSchema["additionalProperties"] is False
        assert tool.outputSchema["type"] == "object"
        hints = tool.annotations
        assert (hints.readOnlyHint, hints.destructiveHint, hints.openWorldHint) == (True, False, False)
    assert "labels" not in str([tool.inputSchema for tool in tools])


@pytest.mark.parametrize("labels", [[], ["leads"]])
async def test_it_gives_what_the_tools_give(world, labels):
    own = {tool.name: tool for tool in note_tools(world, labels=labels)}
    async with stdio_session(config_file(world), *(f"--label={each}" for each in labels)) as session:
        for name, arguments in CALLS:
            result = await session.call_tool(name, arguments)
            expected = own[name].invoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
            assert not result.isError
            assert result.content[0].text == expected.content
            assert result.structuredContent == expected.artifact
        read = await session.call_tool("read_note", {"path": "Secret.md"})
        assert read.isError == (not labels)


async def test_what_goes_wrong_is_told_and_the_server_goes_on(world):
    async with stdio_session(config_file(world)) as session:
        for name, arguments, word in [
            ("read_note", {"path": "Secret.md"}, "no note"),
            ("read_note", {}, "path"),
            ("read_note", {"path": "Host.md", "labels": ["leads"]}, "labels"),
            ("search_notes", {"query": ""}, "query"),
            ("search_notes", {"query": "xyzzy", "permissions": "leads"}, "permissions"),
            ("nonsense", {}, "no tool"),
        ]:
            result = await session.call_tool(name, arguments)
            assert result.isError
            assert word in result.content[0].text
            assert not [
                each for each in forbidden_words([]) if each in result.content[0].text.replace(repr("Secret.md"), "")
            ]
        assert not (await session.call_tool(*CALLS[0])).isError


async def test_several_calls_at_once_get_their_own_answers(world):
    async with stdio_session(config_file(world)) as session:
        paths = ["Host.md", "Open.md", "值班.md"] * 4
        asked = [session.call_tool("read_note", {"path": path}) for path in paths]
        asked += [session.call_tool(*CALLS[4]), session.call_tool(*CALLS[0])]
        results = await asyncio.gather(*asked)
    assert [each.structuredContent["source"] for each in results[: len(paths)]] == paths
    assert not any(each.isError for each in results)


async def test_what_another_process_indexes_is_seen(tmp_path):
    config = small_world(tmp_path)
    file = config_file(config)
    async with stdio_session(file) as session:
        assert "zorblax" not in str(await session.call_tool("search_notes", {"query": "zorblax"}))
        (config.vault / "New.md").write_text("# New\nThe zorblax has arrived.\n", encoding="utf-8")
        (config.vault / "Host.md").write_text("---\npermission: leads\n---\n# Host\nplumbus\n", encoding="utf-8")
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", MAIN, "index", "--config", str(file)],
            capture_output=True,
            timeout=90,
        )
        assert done.returncode == 0
        for name, arguments in [
            ("search_notes", {"query": "zorblax"}),
            ("read_note", {"path": "New"}),
            ("ask_notes", {"question": "What has arrived?"}),
        ]:
            assert "zorblax" in (await session.call_tool(name, arguments)).content[0].text
        assert (await session.call_tool("read_note", {"path": "Host.md"})).isError


async def test_there_need_not_be_an_index_yet(tmp_path):
    config = small_world(tmp_path)
    for file in config.index.iterdir():
        file.unlink()
    async with stdio_session(config_file(config)) as session:
        result = await session.call_tool("search_notes", {"query": "plumbus"})
        assert result.isError
        assert "no index" in result.content[0].text


async def test_a_question_for_a_person_is_refused_in_words(world):
    async with stdio_session(config_file(world, preset="enterprise")) as session:
        result = await session.call_tool("ask_notes", {"question": "回滚 release 流需要谁书面同意？"})
        assert not result.isError
        assert result.structuredContent["status"] == "refused"
        assert "人审阅" in result.content[0].text
        result = await session.call_tool("ask_notes", {"question": "What is public?"})
        assert result.structuredContent["status"] == "answered"


def test_where_every_question_would_wait_it_does_not_start(world):
    with raw_server(config_file(world, review={"mode": "always"}, preset="corrective")) as process:
        output, errors = process.communicate(timeout=MINUTES)
    assert process.returncode == 1
    assert output == b""
    assert b"review" in errors
    assert b"Traceback" not in errors


NOISE = f"""
import os, sys
from obsirag.tools.searching import NoteSearch
quiet = NoteSearch.asearch
async def asearch(self, query):
    print("noise by print")
    os.write(1, b"noise by the system\\n")
    sys.__stdout__.write("noise by the first output\\n"); sys.__stdout__.flush()
    return await quiet(self, query)
NoteSearch.asearch = asearch
{MAIN}
"""


def test_nothing_but_the_protocol_is_on_its_output_and_no_note_in_its_log(world):
    call = {"jsonrpc": "2.0", "method": "tools/call"}
    with raw_server(config_file(world), "--label", "leads", code=NOISE) as process:
        say(process, INITIALIZE)
        assert hear(process)["id"] == 0
        say(process, INITIALIZED)
        for number, (name, arguments) in enumerate([*CALLS, ("search_notes", {"query": "xyzzy"}), ("x", {})], 1):
            say(process, {**call, "id": number, "params": {"name": name, "arguments": arguments}})
            assert hear(process)["id"] == number
        say(process, {"nonsense": True})
        process.stdin.write(b"not even JSON\n")
        output, errors = process.communicate(timeout=MINUTES)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in output.splitlines())
    assert process.returncode == 0
    told = errors.decode("utf-8")
    assert told.count("noise by") == 9
    for word in ("plumbus", "password", "两位主管", "Zanzibar"):
        assert word not in told


@pytest.mark.parametrize("has_begun", [False, True])
def test_it_ends_when_its_client_is_gone(world, has_begun):
    with raw_server(config_file(world)) as process:
        if has_begun:
            say(process, INITIALIZE)
            hear(process)
            say(process, INITIALIZED)
        _, errors = process.communicate(timeout=MINUTES)
    assert process.returncode == 0
    assert b"Traceback" not in errors


SLOW = f"""
import time
from obsirag.tools.reading import NoteReader
NoteReader.read = lambda *_, **__: time.sleep(2)
{MAIN}
"""


@pytest.mark.parametrize("closes", ["stdin", "stdout"])
def test_it_ends_when_its_client_leaves_in_the_middle_of_a_call(world, closes):
    with raw_server(config_file(world), code=SLOW) as process:
        say(process, INITIALIZE)
        hear(process)
        call = {"name": "read_note", "arguments": {"path": "Host.md"}}
        say(process, INITIALIZED, {"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": call})
        getattr(process, closes).close()
        errors = process.stderr.read() if closes == "stdin" else b""
        if closes == "stdout":
            say(process, {"jsonrpc": "2.0", "method": "ping", "id": 2})
            process.stdin.close()
            errors = process.stderr.read()
        assert process.wait(MINUTES) == 0
        assert b"Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="there, signals are sent in another way")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(world, sent):
    with raw_server(config_file(world)) as process:
        say(process, INITIALIZE)
        hear(process)
        process.send_signal(sent)
        process.wait(MINUTES / 4)
        assert process.returncode in ((130,) if sent == signal.SIGINT else (0, 143, -signal.SIGTERM))
        assert b"Traceback" not in process.stderr.read()
