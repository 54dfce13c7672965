import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.components import build_components
from obsirag.components.offline import is_local
from obsirag.config import RagConfig
from obsirag.errors import ConfigError


def build(**parts):
    return build_components(
        RagConfig(vault="notes", index="index", offline=True, **parts), kinds=("embeddings", "chat_model")
    )


@pytest.mark.parametrize(
    ("kind", "options", "address"),
    [
        ("chat_model", {"model": "m", "api_key": "sk"}, "https://api.openai.com/v1"),
        (
            "embeddings",
            {"model": "m", "base_url": "http://user:word@10.0.0.7:8080/v1?key=x"},
            "http://10.0.0.7:8080/v1",
        ),
    ],
)
def test_a_part_that_would_leave_the_machine_is_named(kind, options, address):
    parts = {"embeddings": "hashing", kind: {"name": "openai", **options}}
    with pytest.raises(ConfigError) as caught:
        build(**parts)
    message = str(caught.value)
    assert f"`{kind}` (openai) would call {address}:" in message
    assert "word" not in message
    assert "key=x" not in message


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST", "127.9.9.9", "api.localhost"])
def test_a_server_on_this_machine_is_allowed(host):
    pytest.importorskip("langchain_openai", reason="the extra `openai` is not installed")
    chat_model = {"name": "openai", "model": "m", "base_url": f"http://{host}:8080/v1"}
    assert build(embeddings="hashing", chat_model=chat_model).chat_model is not None


@pytest.mark.parametrize("address", ["", "http://", "localhost.evil.org", "http://127.0.0.1.evil.org", "http://[::2]"])
def test_names_that_only_look_local_are_not(address):
    assert not is_local(address)


@given(st.text(max_size=30))
def test_no_address_is_an_error(address):
    assert is_local(address) in {True, False}
