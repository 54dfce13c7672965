from string import ascii_lowercase

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel

from obsirag.config import RagConfig, VaultOptions
from obsirag.errors import ConfigError


def complete(**values):
    return {"vault": "notes", "index": "index", **values}


def sections():
    for name, field in RagConfig.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield name, field.annotation


KEYS = [("", name) for name in RagConfig.model_fields] + [
    (section, name) for section, model in sections() for name in model.model_fields
]


@st.composite
def misspelt_keys(draw):
    section, name = draw(st.sampled_from(KEYS))
    at = draw(st.integers(0, len(name) - 1))
    letter = draw(st.sampled_from(ascii_lowercase))
    wrong = draw(
        st.sampled_from(
            [
                name[:at] + name[at + 1 :],
                name[:at] + letter + name[at:],
                name[:at] + letter + name[at + 1 :],
                name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
                name.replace("_", "-"),
                name.upper(),
            ]
        )
    )
    known = RagConfig.model_fields if not section else dict(sections())[section].model_fields
    assume(wrong and wrong not in known)
    return section, name, wrong


@given(misspelt_keys())
def test_a_misspelt_key_is_named_with_its_place_and_the_right_one(case):
    section, name, wrong = case
    values = complete(**({section: {wrong: None}} if section else {wrong: None}))
    with pytest.raises(ConfigError) as caught:
        RagConfig(**values)
    dotted = f"{section}.{wrong}" if section else wrong
    assert f"unknown key `{dotted}`; did you mean `{name}`?" in str(caught.value)


def test_a_key_of_another_section_is_pointed_to():
    with pytest.raises(ConfigError, match=r"`chunk_size`; did you mean `splitter\.chunk_size`"):
        RagConfig(**complete(chunk_size=300))


def test_a_key_like_no_other_is_answered_with_all():
    with pytest.raises(ConfigError, match="known here: vector, keyword"):
        RagConfig(**complete(retrieval={"weights": {"qqqqqqqq": 1}}))


@pytest.mark.parametrize(
    ("values", "place", "reason"),
    [
        ({"splitter": {"chunk_size": True}}, "splitter.chunk_size", "whole number"),
        ({"splitter": {"chunk_size": "1000"}}, "splitter.chunk_size", "whole number"),
        ({"splitter": {"chunk_size": 0}}, "splitter.chunk_size", "greater than or equal to 1, not 0"),
        ({"splitter": {"chunk_size": 10, "max_chunk_size": 5}}, "splitter", r"max_chunk_size \(5\)"),
        ({"splitter": {"chunk_size": 10, "min_chunk_size": 50}}, "splitter", r"min_chunk_size \(50\)"),
        ({"splitter": 7}, "splitter", "mapping"),
        ({"retrieval": {"weights": {"vector": 0.0, "keyword": 0}}}, "retrieval.weights", "over 0"),
        ({"retrieval": {"weights": {"vector": float("nan")}}}, "retrieval.weights.vector", "finite"),
        ({"retrieval": {"weights": {"vector": -1}}}, "retrieval.weights.vector", "greater"),
        ({"vault_options": {"embed_heading": "kep"}}, "vault_options.embed_heading", "did you mean `keep`"),
        ({"vault_options": {"ignore": "drafts/"}}, "vault_options.ignore", "must be a list"),
        ({"offline": "yes"}, "offline", "true or false"),
        ({"vault": 3}, "vault", "path"),
    ],
)
def test_a_wrong_value_is_named_with_its_place_and_reason(values, place, reason):
    with pytest.raises(ConfigError, match=f"`{place}`: .*{reason}"):
        RagConfig(**complete(**values))


def test_all_faults_are_told_at_once():
    with pytest.raises(ConfigError) as caught:
        RagConfig(index="index", ofline=True, splitter={"chunk_sise": 1})
    message = str(caught.value)
    assert "3 faults" in message
    assert "`vault` is missing" in message
    assert "`ofline`" in message
    assert "`splitter.chunk_sise`" in message


def test_a_section_built_alone_says_its_own_name():
    with pytest.raises(ConfigError, match=r"VaultOptions.*`ignor`; did you mean `ignore`"):
        VaultOptions(ignor=())


def test_a_value_under_a_wrong_key_is_not_repeated():
    with pytest.raises(ConfigError) as caught:
        RagConfig(**complete(api_key="sk-very-secret", chat_model={"api_key": "sk-very-secret"}))
    chain = f"{caught.value} {caught.value.__cause__}"
    assert "sk-very-secret" not in chain
