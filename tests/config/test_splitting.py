import json
from datetime import date

import pytest

from obsirag.config import RagConfig, SplitterOptions, load_config
from obsirag.errors import ConfigError


def only_rule(options, **rule):
    merged = SplitterOptions(**options, rules=[{"tags": ["x"], **rule}])
    others = {"heading_separator", "rules", "ask_model", "model_calls"}
    return merged.for_rule(merged.rules[0]).model_dump(exclude_none=True, exclude=others)


GENERAL = {"chunk_size": 800, "min_chunk_size": 200, "max_chunk_size": 1000, "parent_chunk_size": 5000, "unit": "words"}


def test_what_a_rule_leaves_out_is_as_for_all_notes():
    assert only_rule(GENERAL, chunk_overlap=7) == {**GENERAL, "chunk_overlap": 7}
    assert only_rule(GENERAL, max_chunk_size=900) == {**GENERAL, "chunk_overlap": 50, "max_chunk_size": 900}


def test_a_chunk_size_brings_its_own_sizes_along():
    assert only_rule(GENERAL, chunk_size=3000) == {"chunk_size": 3000, "chunk_overlap": 50, "unit": "words"}
    assert only_rule(GENERAL, chunk_size=3000, min_chunk_size=9)["min_chunk_size"] == 9


@pytest.mark.parametrize(("overlap", "taken"), [(90, 50), (0.2, 0.2)])
def test_a_length_in_another_unit_is_not_taken_over_but_a_share_is(overlap, taken):
    own = only_rule({**GENERAL, "chunk_overlap": overlap}, unit="tokens", chunk_size=300)
    assert own == {"chunk_size": 300, "chunk_overlap": taken, "unit": "tokens"}
    same = only_rule({**GENERAL, "chunk_overlap": overlap}, unit="words", chunk_size=300)
    assert same["chunk_overlap"] == overlap


def test_a_rule_may_say_for_its_notes_alone_whether_the_chat_model_is_asked():
    options = SplitterOptions(ask_model="always", model_calls=3, rules=[{"tags": ["x"], "ask_model": "never"}])
    own = options.for_rule(options.rules[0])
    assert (own.ask_model, own.model_calls) == ("never", 3)
    assert not own.asks_model
    assert options.asks_model
    assert SplitterOptions(rules=[{"tags": ["x"], "ask_model": "always"}]).asks_model


def test_the_separator_of_headings_is_one_for_all():
    options = SplitterOptions(heading_separator="/", rules=[{"tags": ["x"], "chunk_size": 9}])
    assert options.for_rule(options.rules[0]).heading_separator == "/"


def test_rules_are_read_from_a_file(tmp_path):
    text = "vault: a\nindex: b\nsplitter:\n  rules:\n  - {fields: {type: faq, since: 2024-01-02, n: [1, true]}}\n"
    (tmp_path / "c.yaml").write_text(text, "utf-8")
    [rule] = load_config(tmp_path / "c.yaml").splitter.rules
    assert rule.fields == {"type": ("faq",), "since": (date(2024, 1, 2),), "n": (1, True)}
    config = load_config(tmp_path / "c.yaml")
    assert RagConfig(**config.model_dump()) == config
    assert json.loads(config.model_dump_json())["splitter"]["rules"][0]["fields"]["since"] == ["2024-01-02"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chunk_overlap": 0.5}, "`splitter.chunk_overlap`: must be a whole number of at least 0, or a share"),
        ({"chunk_overlap": -1}, "`splitter.chunk_overlap`: must be"),
        ({"chunk_overlap": "10%"}, "`splitter.chunk_overlap`: must be"),
        ({"chunk_overlap": True}, "`splitter.chunk_overlap`: must be"),
        ({"unit": "token"}, "`splitter.unit`: .*did you mean `tokens`"),
        ({"rules": {"tags": ["x"]}}, "`splitter.rules`: must be a list"),
        ({"rules": ["x"]}, "`splitter.rules.0`: must be a mapping"),
        ({"rules": [{"chunk_size": 3}]}, "`splitter.rules.0`: needs a condition"),
        ({"rules": [{"tags": ["x"], "chunk_sise": 3}]}, "`splitter.rules.0.chunk_sise`; did you mean `chunk_size`"),
        ({"rules": [{"field": {"a": "x"}}]}, "`splitter.rules.0.field`; did you mean `fields`"),
        ({"rules": [{"tags": ["x"]}, {"tags": ["y"], "chunk_size": 0}]}, "`splitter.rules.1.chunk_size`: must be"),
        ({"rules": [{"tags": ["x"], "chunk_overlap": 0.7}]}, "`splitter.rules.0.chunk_overlap`: must be"),
        ({"rules": [{"tags": "x"}]}, "`splitter.rules.0.tags`: must be a list"),
        ({"rules": [{"tags": ["x", "#"]}]}, "`splitter.rules.0.tags.1`: must be a tag"),
        ({"rules": [{"paths": ["a", "b\\c"]}]}, "`splitter.rules.0.paths.1`: pattern .* has a backslash"),
        ({"rules": [{"paths": [3]}]}, "`splitter.rules.0.paths.0`: must be text"),
        ({"rules": [{"paths": ["# a"]}]}, "`splitter.rules.0`: pattern '# a' can match no path"),
        ({"rules": [{"fields": {"type": []}}]}, "`splitter.rules.0.fields.type`: must be a text"),
        ({"rules": [{"fields": {"type": None}}]}, "`splitter.rules.0.fields.type`: must be a text"),
        ({"rules": [{"fields": {"type": [["a"]]}}]}, "`splitter.rules.0.fields.type`: must be a text"),
        ({"rules": [{"fields": ["type"]}]}, "`splitter.rules.0.fields`: must be a mapping"),
        (
            {"rules": [{"tags": ["x"], "unit": "words"}]},
            r"rules\.0 has another unit \(words\), and so needs a chunk_size",
        ),
        ({"rules": [{"tags": ["x"], "min_chunk_size": 1001}]}, r"rules\.0\.min_chunk_size \(1001\) is over chunk_size"),
        ({"rules": [{"tags": ["x"], "max_chunk_size": 999}]}, r"rules\.0\.max_chunk_size \(999\) is under chunk_size"),
    ],
)
def test_a_wrong_value_is_one_fault_that_names_the_key(options, message):
    with pytest.raises(ConfigError, match=message) as caught:
        RagConfig(vault="notes", index="index", splitter=options)
    assert "faults" not in str(caught.value)


def test_the_schema_knows_the_rules():
    schema = RagConfig.model_json_schema()["$defs"]
    assert set(schema["SplitterRuleOptions"]["properties"]) >= {"paths", "tags", "fields", "chunk_size"}
    assert {"type": "number"} in schema["SplitterOptions"]["properties"]["chunk_overlap"]["anyOf"]
