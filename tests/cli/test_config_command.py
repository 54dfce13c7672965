import json

import yaml

from obsirag.config import RagConfig


def test_the_settings_are_the_files_the_presets_and_the_defaults(run, tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("vault: notes\nindex: index\npreset: enterprise\ngrading: {threshold: 0.9}\n", encoding="utf-8")
    shown = yaml.safe_load(run("config", "--config", file).stdout)
    assert shown["vault"] == str(tmp_path / "notes")
    assert (shown["review"]["mode"], shown["intent"]["enabled"]) == ("high_risk", True)
    assert (shown["grading"]["threshold"], shown["retrieval"]["limit"]) == (0.9, 5)
    assert json.loads(run("config", "--config", file, "--json").stdout) == shown
    assert yaml.safe_load(run("config", "--config", file, "--preset", "naive").stdout)["review"]["mode"] == "off"


def test_what_is_shown_can_be_read_as_a_configuration_again(run, tmp_path):
    shown = yaml.safe_load(run("config", "--vault", tmp_path, "--index", tmp_path / "index").stdout)
    assert yaml.safe_load(run("config", "--vault", tmp_path, "--index", tmp_path / "index").stdout) == shown
    assert RagConfig(**shown).retrieval == RagConfig(vault="v", index="i").retrieval


def test_options_of_parts_are_not_shown(run, tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text(
        "vault: notes\nindex: index\nchat_model: {name: openai, api_key: sesame, model: {env: MODEL}}\n"
        "nodes: {grade: {name: by-reranker, calibration: sesame.json}}\nembeddings: hashing\n",
        encoding="utf-8",
    )
    shown = run("config", "--config", file)
    assert "sesame" not in shown.output
    assert yaml.safe_load(shown.stdout)["chat_model"] == {"name": "openai", "api_key": "…", "model": "…"}
    assert yaml.safe_load(shown.stdout)["embeddings"] == "hashing"


def test_the_schema_knows_names_of_parts_and_parts_with_options(run):
    schema = json.loads(run("config", "--schema").stdout)
    assert {"type": "string", "minLength": 1} in schema["$defs"]["Part"]["anyOf"]
    assert schema["required"] == ["vault", "index"]


def test_all_options_are_listed(run):
    table = run("config", "--options").stdout
    assert "| `retrieval.limit` | an integer, ≥ 1 | `5` |" in table
