"""LangGraph's own server serves the graph, and gives nobody labels but those that it was built with."""

import json
import re
import shutil
import signal
from pathlib import Path

import pytest

from langgraph_servers import langgraph_server
from obsirag import index_vault, load_config
from tool_worlds import forbidden_words, small_world

pytest.importorskip("langgraph_api", reason="langgraph-cli[inmem] is not installed")
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no process groups")

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/how-to/serve-it.md").read_text(encoding="utf-8")
RISKY = "回滚 release 流需要谁书面同意？"
SECRET = "What is the password of the vault?"


def asked(question):
    return {"messages": [{"role": "user", "content": question}]}


@pytest.fixture
async def client_of():
    """Connects to a server, as somebody with a token."""
    from langgraph_sdk import get_client

    clients = []

    def connected(address, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else None
        clients.append(get_client(url=address, api_key=None, headers=headers))
        return clients[-1]

    yield connected
    for client in clients:
        await client.aclose()


def code(title):
    return re.search(rf'```python title="{title}"\n(.*?)```', PAGE, re.DOTALL).group(1)


@pytest.fixture(scope="module")
def example_folder(tmp_path_factory, sample_vault):
    """The example as it is, but for the parts of its index."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(sample_vault, folder / "ue-notes", ignore=shutil.ignore_patterns(".obsirag"))
    shutil.copytree(ROOT / "examples/agent", folder / "agent", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    settings = folder / "agent" / "obsirag.yaml"
    settings.write_text(f"{settings.read_text('utf-8')}embeddings: hashing\nvector_store: memory\n", "utf-8")
    index_vault(load_config(settings))
    return folder / "agent"


@pytest.fixture(scope="module")
def example(example_folder):
    with langgraph_server(example_folder) as address:
        yield address


@pytest.fixture(scope="module")
def users(tmp_path_factory):
    """A server that knows its users, as the documentation has it."""
    folder = tmp_path_factory.mktemp("users")
    config = small_world(folder)
    settings = f"vault: {config.vault}\nindex: {config.index}\nembeddings: hashing\nvector_store: memory\n"
    (folder / "obsirag.yaml").write_text(settings, "utf-8")
    (folder / "agent.py").write_text(code("agent.py"), "utf-8")
    (folder / "auth.py").write_text(code("auth.py"), "utf-8")
    (folder / "langgraph.json").write_text(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[1], "utf-8")
    with langgraph_server(folder, TOKENS="a1=ann,b1=bob,c1=cid") as address:
        yield address


def test_the_page_shows_the_examples_own_file():
    shown = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
    assert shown == json.loads((ROOT / "examples/agent/langgraph.json").read_text("utf-8"))


async def test_an_answer_streams_into_a_thread(client_of, example):
    client = client_of(example)
    thread = (await client.threads.create())["thread_id"]
    pieces = []
    async for part in client.runs.stream(
        thread, "notes", input=asked("LNK2019 先查什么？"), stream_mode=["messages-tuple", "values"]
    ):
        assert part.event != "error", part.data
        if part.event == "messages" and part.data[0]["type"].lower().startswith("ai"):
            pieces.append(part.data[0]["content"])
    values = (await client.threads.get_state(thread))["values"]
    assert values["status"] == "answered"
    assert values["citations"][0]["link"].startswith("obsidian://")
    assert pieces
    assert pieces[-1] in values["answer"]


async def test_a_person_approves_over_http(client_of, example):
    client = client_of(example)
    thread = (await client.threads.create())["thread_id"]
    first = await client.runs.wait(thread, "notes", input=asked(RISKY))
    (waiting,) = first["__interrupt__"]
    (action,) = waiting["value"]["action_requests"]
    assert (action["name"], action["args"]["question"]) == ("answer", RISKY)
    assert (await client.threads.get(thread))["status"] == "interrupted"
    decision = {"decisions": [{"type": "approve"}]}
    result = await client.runs.wait(thread, "notes", command={"resume": {waiting["id"]: decision}})
    assert result["status"] == "answered"
    assert {each["source"] for each in result["citations"]} == {"规范/版本管理规则.md"}


async def test_threads_are_apart(client_of, example):
    client = client_of(example)
    threads = [(await client.threads.create())["thread_id"] for _ in range(2)]
    questions = ["LNK2019 先查什么？", "Niagara 怎么优化？"]
    for thread, question in zip(threads, questions, strict=True):
        await client.runs.wait(thread, "notes", input=asked(question))
    for thread, question in zip(threads, questions, strict=True):
        messages = (await client.threads.get_state(thread))["values"]["messages"]
        assert [each["content"] for each in messages if each["type"] == "human"] == [question]


async def test_a_question_waits_on_when_the_server_starts_again(client_of, example_folder, tmp_path):
    folder = tmp_path / "agent"
    shutil.copytree(example_folder, folder, ignore=shutil.ignore_patterns(".langgraph_api"))
    settings = (
        (folder / "obsirag.yaml").read_text("utf-8").replace("../ue-notes", str(example_folder.parent / "ue-notes"))
    )
    (folder / "obsirag.yaml").write_text(settings, "utf-8")
    with langgraph_server(folder) as address:
        client = client_of(address)
        thread = (await client.threads.create())["thread_id"]
        (waiting,) = (await client.runs.wait(thread, "notes", input=asked(RISKY)))["__interrupt__"]
    with langgraph_server(folder) as address:
        client = client_of(address)
        assert (await client.threads.get(thread))["status"] == "interrupted"
        resume = {"resume": {waiting["id"]: {"decisions": [{"type": "reject", "message": "请走工单。"}]}}}
        result = await client.runs.wait(thread, "notes", command=resume)
    assert (result["status"], result["answer"]) == ("refused", "请走工单。")


CLAIMS = [
    {"context": {"labels": ["leads"]}},
    {"config": {"configurable": {"labels": ["leads"]}}},
    {"config": {"configurable": {"langgraph_auth_user": {"identity": "ann"}, "labels": ["leads"]}}},
    {"metadata": {"labels": ["leads"], "owner": "ann"}},
]


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("token", ["b1", pytest.param("c1", marks=pytest.mark.slow)])
async def test_nobody_gets_more_for_what_they_claim(client_of, users, claim, token):
    client = client_of(users, token)
    thread = (await client.threads.create())["thread_id"]
    given = []
    try:
        async for part in client.runs.stream(
            thread, "notes", input=asked(SECRET), stream_mode=["values", "updates", "messages-tuple", "custom"], **claim
        ):
            given.append(repr(part))  # noqa: PERF401 - what came before an error counts
    except Exception as error:  # noqa: BLE001 - refused in whatever way
        given.append(repr(error))
    state = await client.threads.get_state(thread)
    given.append(json.dumps(state, ensure_ascii=False))
    for word in forbidden_words([]):
        assert word not in "".join(given)
    if "context" in claim:
        assert "cannot bring any" in "".join(given) or not state["values"]


async def test_an_assistant_of_a_client_claims_nothing_either(client_of, users):
    client = client_of(users, "b1")
    assistant = await client.assistants.create("notes", context={"labels": ["leads"]})
    thread = (await client.threads.create())["thread_id"]
    result = await client.runs.wait(thread, assistant["assistant_id"], input=asked(SECRET), raise_error=False)
    told = json.dumps([result, await client.threads.get_state(thread)], ensure_ascii=False)
    assert "xyzzy" not in told


async def test_a_user_reads_by_the_labels_that_the_server_knows(client_of, users):
    client = client_of(users, "a1")
    thread = (await client.threads.create())["thread_id"]
    result = await client.runs.wait(thread, "notes", input=asked(SECRET))
    assert "xyzzy" in result["answer"]
    for stranger in (client_of(users, "b1"), client_of(users, "nobody"), client_of(users)):
        with pytest.raises(Exception, match=r"not found|no such token|Unauthorized|40[134]"):
            await stranger.threads.get_state(thread)
