import pytest

from obsirag.config import Part, RagConfig, resolve_options
from obsirag.errors import ConfigError


def config(**parts):
    return RagConfig(vault="notes", index="index", **parts)


def test_a_name_alone_is_a_part_without_options():
    part = config(embeddings="hashing").embeddings
    assert (part.name, part.options) == ("hashing", {})


def test_whatever_stands_beside_the_name_are_options():
    part = config(embeddings={"name": "openai", "model": "m", "options": 1}).embeddings
    assert (part.name, part.options) == ("openai", {"model": "m", "options": 1})


def test_a_part_survives_a_dump():
    before = config(embeddings={"name": "openai", "api_key": {"env": "KEY"}}, splitter="semantic")
    assert RagConfig.model_validate(before.model_dump()) == before


@pytest.mark.parametrize("wrong", [3, "", "  ", {"model": "m"}, {"name": 3}, ["openai"]])
def test_a_part_without_a_name_is_refused_with_its_place(wrong):
    with pytest.raises(ConfigError, match="`embeddings"):
        config(embeddings=wrong)


def test_option_values_are_never_shown():
    secret = "sk-very-secret"
    part = Part(name="openai", api_key=secret, headers={"Authorization": secret})
    shown = f"{part!r} {part} {config(chat_model=part)!r} {config(chat_model=part)}"
    assert secret not in shown
    assert "api_key=…" in shown


def test_a_variable_is_read_when_asked_for_and_only_then():
    part = config(chat_model={"name": "openai", "api_key": {"env": "KEY"}, "deep": [{"x": {"env": "KEY"}}]}).chat_model
    assert part.options["api_key"] == {"env": "KEY"}
    resolved = resolve_options(part, place="chat_model", environ={"KEY": "value"})
    assert resolved == {"api_key": "value", "deep": [{"x": "value"}]}


@pytest.mark.parametrize("environ", [{}, {"KEY": ""}])
def test_a_missing_variable_is_named_with_its_place(environ):
    part = Part(name="openai", headers={"x": {"env": "KEY"}})
    with pytest.raises(ConfigError, match=r"`chat_model\.headers\.x`.*KEY"):
        resolve_options(part, place="chat_model", environ=environ)


def test_a_mapping_that_merely_holds_env_is_no_variable():
    part = Part(name="x", settings={"env": "production", "debug": True})
    assert resolve_options(part, place="p", environ={}) == {"settings": {"env": "production", "debug": True}}
