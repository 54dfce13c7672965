import json
import os
import socket
import sys
import traceback

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, ValidationError

from obsirag.errors import ConfigError, MissingExtraError, ServiceError
from obsirag.plugins import Registry

pytest.importorskip("langchain_openai", reason="the extra `openai` is not installed")

SECRET_TEXT = "the vault's secret paragraph"


def chat(server, **options):
    settings = {"model": "small", "base_url": server.address, "max_retries": 0, **options}
    return Registry().build("chat_model", "openai", settings)


def embedder(server, **options):
    settings = {"model": "vectors", "base_url": server.address, "max_retries": 0, **options}
    return Registry().build("embeddings", "openai", settings)


def whole(content):
    message = {"role": "assistant", "content": content}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }


def streamed(*pieces, end="data: [DONE]\n\n"):
    lines = []
    for number, piece in enumerate(pieces):
        reason = "stop" if number == len(pieces) - 1 else None
        choice = {"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": reason}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "small", "choices": [choice]}
        lines.append(f"data: {json.dumps(chunk)}\n\n")
    return "".join(lines) + end


def vectors(body):
    data = [{"object": "embedding", "index": i, "embedding": [float(len(t)), 1.0]} for i, t in enumerate(body["input"])]
    return 200, {"object": "list", "data": data, "model": "vectors", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.mark.parametrize("streaming", [True, False])
def test_a_question_is_answered(server, streaming):
    server.answers["/chat/completions"] = (200, streamed("fo", "ur") if streaming else whole("four"))
    assert chat(server, streaming=streaming, temperature=0.0).invoke("2 + 2?").content == "four"
    _, _, body = server.requests[0]
    assert body["model"] == "small"
    assert body["messages"] == [{"role": "user", "content": "2 + 2?"}]
    assert body["temperature"] == 0.0
    assert bool(body.get("stream")) is streaming


async def test_a_question_is_answered_asynchronously(server):
    server.answers["/chat/completions"] = (200, streamed("fo", "ur"))
    model = chat(server)
    assert (await model.ainvoke("2 + 2?")).content == "four"
    assert [chunk.content async for chunk in model.astream("2 + 2?")][:2] == ["fo", "ur"]
    await model.root_async_client.close()


def test_an_answer_can_be_structured(server):
    class Answer(BaseModel):
        number: int

    server.answers["/chat/completions"] = (200, whole('{"number": 4}'))
    assert chat(server).with_structured_output(Answer, method="json_schema").invoke("2 + 2?") == Answer(number=4)


def test_an_answer_of_another_structure_is_left_to_the_caller(server):
    class Answer(BaseModel):
        number: int

    server.answers["/chat/completions"] = (200, whole('{"word": "four"}'))
    with pytest.raises(ValidationError, match="number"):
        chat(server).with_structured_output(Answer, method="json_schema").invoke("2 + 2?")


def test_texts_are_embedded_as_text_in_batches(server):
    server.answers["/embeddings"] = vectors
    part = embedder(server, batch_size=2)
    assert part.embed_documents(["a", "bb", "ccc"]) == [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]
    assert part.embed_query("dddd") == [4.0, 1.0]
    assert [body["input"] for _, _, body in server.requests] == [["a", "bb"], ["ccc"], ["dddd"]]


def test_a_slow_server_gets_small_requests_unless_told_otherwise(server):
    server.answers["/embeddings"] = vectors
    assert len(embedder(server).embed_documents(["text"] * 70)) == 70
    assert [len(body["input"]) for _, _, body in server.requests] == [32, 32, 6]


async def test_texts_are_embedded_asynchronously(server):
    server.answers["/embeddings"] = vectors
    part = embedder(server)
    assert await part.aembed_documents(["a"]) == [[1.0, 1.0]]
    server.answers.clear()
    with pytest.raises(ServiceError, match="HTTP 404"):
        await part.aembed_query("a")
    await part.async_client._client.close()


def test_embeddings_declare_what_the_index_has_to_know(server):
    part = embedder(server, dimensions=2, input_limit=512)
    assert (part.model_id, part.input_limit) == ("openai:vectors:2", 512)
    assert part.input_length("中文笔记") >= 3
    assert embedder(server).input_limit is None


def test_a_local_server_needs_no_key_and_another_gets_its_own(server):
    server.answers["/embeddings"] = vectors
    embedder(server).embed_query("a")
    embedder(server, api_key="sk-mine").embed_query("a")
    assert server.requests[1][1]["authorization"] == "Bearer sk-mine"


def test_nothing_is_taken_from_the_environment(server, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_ORGANIZATION", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_PROXY", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    monkeypatch.setenv("OPENAI_API_TYPE", "azure")
    server.answers["/embeddings"] = vectors
    server.answers["/chat/completions"] = (200, streamed("yes"))
    embedder(server).embed_query("a")
    assert chat(server).invoke("a").content == "yes"
    assert len(server.requests) == 2
    assert "from-the-environment" not in str(server.requests)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "HTTP 400.*refused"),
        (401, "HTTP 401.*api_key"),
        (404, r"HTTP 404 \(model_missing\).*model"),
        (429, "HTTP 429.*too many"),
        (500, "HTTP 500.*log"),
    ],
)
def test_a_servers_refusal_is_one_message_without_the_text(server, status, said):
    refusal = (status, {"error": {"message": f"cannot do: {SECRET_TEXT}", "code": "model_missing"}})
    server.answers.update({"/chat/completions": refusal, "/embeddings": refusal})
    with pytest.raises(ServiceError, match=f"chat model 'small' at {server.address}: {said}") as caught:
        chat(server).invoke(SECRET_TEXT)
    assert SECRET_TEXT not in str(caught.value)
    with pytest.raises(ServiceError, match=f"embeddings 'vectors' at {server.address}: {said}") as caught:
        embedder(server).embed_documents([SECRET_TEXT])
    assert SECRET_TEXT not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    ["<html>a web page</html>", {"unexpected": True}, {"choices": None}, [], "data: {no json}\n\n", "data: BREAK\n\n"],
)
@pytest.mark.parametrize("streaming", [True, False])
def test_an_answer_that_cannot_be_read_is_a_service_error(server, content, streaming):
    server.answers.update({"/chat/completions": (200, content), "/embeddings": (200, content)})
    with pytest.raises(ServiceError, match="chat model 'small' at"):
        chat(server, streaming=streaming).invoke("a")
    with pytest.raises(ServiceError, match="embeddings 'vectors' at"):
        embedder(server).embed_query("a")


def test_an_answer_that_breaks_off_is_a_service_error(server):
    server.answers["/chat/completions"] = (200, streamed("some", " words", end="data: BREAK"))
    with pytest.raises(ServiceError, match="broke off"):
        chat(server).invoke("a")


def test_too_few_vectors_are_noticed(server):
    server.answers["/embeddings"] = lambda body: vectors({"input": body["input"][:1]})
    with pytest.raises(ServiceError, match="1 vectors came for 2 texts"):
        embedder(server).embed_documents(["a", "b"])


def test_a_server_that_cannot_be_reached_is_one_message():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://user:password@127.0.0.1:{closed.getsockname()[1]}/v1"
    for kind, call in (("chat_model", "invoke"), ("embeddings", "embed_query")):
        part = Registry().build(kind, "openai", {"model": "m", "base_url": address, "max_retries": 0})
        with pytest.raises(ServiceError, match=r"'m' at http://127.*cannot be reached \(.*refused.*start the server"):
            getattr(part, call)("a")


def test_a_server_that_does_not_answer_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        options = {"model": "m", "base_url": address, "max_retries": 0, "read_timeout": 0.2}
        with pytest.raises(ServiceError, match=r"no answer in time.*`read_timeout`"):
            Registry().build("chat_model", "openai", options).invoke("a")


def test_a_failing_server_is_asked_again(server):
    answers = iter([(503, {}), vectors({"input": ["a"]})])
    server.answers["/embeddings"] = lambda _: next(answers)
    assert embedder(server, max_retries=1).embed_query("a") == [1.0, 1.0]


def test_patience_is_as_documented():
    part = Registry().build("chat_model", "openai", {"model": "m", "base_url": "http://127.0.0.1:9/v1"})
    assert part.root_client.max_retries == 3
    assert (part.root_client.timeout.connect, part.root_client.timeout.read) == (5.0, 30.0)


def test_a_real_server_answers_and_streams():
    address = os.environ.get("OBSIRAG_TEST_CHAT_URL")
    if not address:
        pytest.skip("OBSIRAG_TEST_CHAT_URL is not set")
    options = {"model": "any", "base_url": address, "temperature": 0.0, "max_tokens": 40}
    model = Registry().build("chat_model", "openai", options)
    assert "4" in model.invoke("What is 2 + 2? Answer with a number.").content
    assert len(list(model.stream("Count from 1 to 5."))) > 2


@pytest.mark.parametrize("kind", ["chat_model", "embeddings"])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"modle": "m", "base_url": "http://localhost/v1"}, "unknown key `modle`; did you mean `model`"),
        ({"base_url": "http://localhost/v1"}, "`model` is missing"),
        ({"model": "m", "base_url": "localhost:8080"}, "`base_url`: must be an address such as"),
        ({"model": "m", "base_url": "http://localhost:port/v1"}, "`base_url`: .*ort"),
        ({"model": "m"}, "api_key is missing for OpenAI's own server"),
        ({"model": "m", "api_key": "sk-very-secret", "max_retries": "3"}, "`max_retries`: must be a whole number"),
    ],
)
def test_wrong_options_are_config_errors(kind, options, said):
    with pytest.raises(ConfigError, match=rf"(?s){kind} \(openai\): .*{said}"):
        Registry().build(kind, "openai", options)


def test_a_key_is_never_shown(server):
    key = "-".join(["sk", "very", "secret"])  # not as one word, because a traceback shows these lines
    model = chat(server, api_key=key, streaming=False)
    shown = f"{model!r} {model} {embedder(server, api_key=key)!r}"
    with pytest.raises(ConfigError) as wrong:
        chat(server, api_key=[key])
    with pytest.raises(ServiceError) as refused:
        model.invoke([HumanMessage("a")])
    shown += "".join(traceback.format_exception(wrong.value)) + "".join(traceback.format_exception(refused.value))
    assert key not in shown


def test_a_missing_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    with pytest.raises(MissingExtraError, match=r"chat model 'openai'.*pip install 'obsirag\[openai\]'"):
        Registry().build("chat_model", "openai", {"model": "m", "base_url": "http://localhost/v1"})


@pytest.mark.parametrize(
    ("options", "address"),
    [({}, "https://api.openai.com/v1"), ({"base_url": "http://10.0.0.1/v1"}, "http://10.0.0.1/v1")],
)
def test_it_says_which_host_it_calls(options, address):
    assert Registry().hosts("openai", options) == [address]
