import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from obsirag.config import RagConfig
from obsirag.errors import ConfigError


def test_vault_and_index_alone_are_complete():
    config = RagConfig(vault="notes", index=Path("index"))
    assert (config.vault, config.index) == (Path("notes"), Path("index"))
    assert (config.splitter.chunk_size, config.splitter.chunk_overlap) == (1000, 50)
    assert (config.retrieval.limit, config.retrieval.chunks_per_document, config.retrieval.rrf_k) == (5, 3, 60)
    assert config.answers.max_regenerations == 2
    assert config.chat_model is None
    assert not config.offline


def test_the_home_folder_can_be_written_as_a_tilde():
    assert RagConfig(vault="~/notes", index="~").vault == Path.home() / "notes"
    assert RagConfig(vault="~/notes", index="~").index == Path.home()
    assert RagConfig(vault="notes/~x", index="i").vault == Path("notes/~x")


def test_it_cannot_be_changed():
    config = RagConfig(vault="notes", index="index")
    with pytest.raises(ValidationError, match="frozen"):
        config.offline = True
    with pytest.raises(ValidationError, match="frozen"):
        config.splitter.chunk_size = 3


def test_pydantic_can_hold_it_in_models_of_others():
    with pytest.raises(ValidationError) as caught:
        RagConfig.model_validate({"vault": "notes", "index": "index", "splitter": {"chunk_sise": 3}})
    assert caught.value.errors()[0]["loc"] == ("splitter", "options", "chunk_sise")


def test_its_json_schema_describes_every_key():
    schema = json.loads(json.dumps(RagConfig.model_json_schema()))
    assert set(schema["properties"]) == set(RagConfig.model_fields)
    assert schema["required"] == ["vault", "index"]
    assert schema["additionalProperties"] is False
    assert {"type": "string", "minLength": 1} in schema["$defs"]["Part"]["anyOf"]


@pytest.mark.parametrize("path", ["", "  ", "a\0b"])
@pytest.mark.parametrize("key", ["vault", "index"])
def test_an_empty_path_is_not_the_working_directory(key, path):
    with pytest.raises(ConfigError, match=f"{key}.*path of a folder"):
        RagConfig(**{"vault": "notes", "index": "there", key: path})


def test_sizes_stay_in_what_databases_can_hold():
    with pytest.raises(ConfigError, match=r"retrieval\.candidates"):
        RagConfig(vault="notes", index="there", retrieval={"candidates": 10**20})


def test_a_marker_that_is_no_pattern_is_refused_at_once():
    with pytest.raises(ConfigError, match=r"cleaning\.markers.*no regular expression"):
        RagConfig(vault="notes", index="there", cleaning={"markers": ["("]})


def test_a_fault_in_a_list_is_told_with_its_place_in_it():
    with pytest.raises(ConfigError) as caught:
        RagConfig(
            vault="notes",
            index="there",
            cleaning={"markers": ["a", {"txt": "b"}, "("], "steps": ["acme", {"nam": "x"}]},
        )
    message = str(caught.value)
    for fault in (
        "unknown key `cleaning.markers.1.txt`; did you mean `text`?",
        "`cleaning.markers.2.regex`: '(' is no regular expression",
        "`cleaning.steps.1.name` is missing",
    ):
        assert fault in message
