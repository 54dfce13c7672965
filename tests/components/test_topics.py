"""A chat model asked where topics begin, from the configuration on."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda

from obsirag.components import Components, build_components, index_vault, split_note
from obsirag.components.settings import describe_settings
from obsirag.components.topics import MOST_FAILURES, ModelTopics
from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.splitters import ObsidianSplitter, RuleSplitter, TopicSplitter

PARTS = ["one", "two", "three"]


class Scripted(BaseChatModel):
    """Gives its answers one after the other, the last one for ever; knows schemas if it has an answer to them."""

    answers: list[Any]
    by_schema: Any = None
    asked: list[Any] = []  # noqa: RUF012 - pydantic copies it
    model: str = "scripted"

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def with_structured_output(self, schema, **more):
        if self.by_schema is None:
            raise NotImplementedError
        return RunnableLambda(lambda messages: self.by_schema(schema))

    def _generate(self, messages, *rest, **more):
        self.asked.append(messages)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return ChatResult(generations=[ChatGeneration(message=AIMessage(answer))])


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('{"starts": [2, 3]}', [1, 2]),
        ('```json\n{"starts": []}\n```', []),
        ("<think>[1] seems new</think> [3]", [2]),
        ("[2，3]", [1, 2]),
        ("[9, 1]", [8, 0]),
        ("none", None),
        ("", None),
        ("[[[[", None),
        ('{"starts": "2"}', None),
    ],
)
def test_answers_are_read_as_far_as_they_hold_numbers(tmp_path, said, found):
    assert ModelTopics(Scripted(answers=[said]), tmp_path).find(PARTS) == found


@pytest.mark.parametrize(
    ("by_schema", "found"),
    [
        (lambda schema: {"raw": AIMessage(""), "parsed": schema(starts=[2])}, [1]),
        (lambda schema: schema(starts=[2]), [1]),
        (lambda schema: {"raw": AIMessage("[3]"), "parsed": None, "parsing_error": ValueError()}, [2]),
        (lambda schema: {"raw": None, "parsed": 7}, [0]),
        (lambda schema: None, [0]),
        (lambda schema: 1 / 0, [0]),
    ],
)
def test_it_is_asked_by_schema_and_then_plainly(tmp_path, by_schema, found):
    assert ModelTopics(Scripted(answers=["[1]"], by_schema=by_schema), tmp_path).find(PARTS) == found


def test_answers_are_kept_for_the_same_model(tmp_path):
    first = Scripted(answers=["[2]"], asked=[])
    assert ModelTopics(first, tmp_path).find(PARTS) == ModelTopics(first, tmp_path).find(PARTS) == [1]
    assert len(first.asked) == 1
    other = Scripted(answers=["[3]"], asked=[], model="other")
    assert ModelTopics(other, tmp_path).find(PARTS) == [2]


def test_a_folder_that_cannot_be_used_costs_only_the_keeping(tmp_path):
    (tmp_path / "file").touch()
    assert ModelTopics(Scripted(answers=["[2]"]), tmp_path / "file" / "x").find(PARTS) == [1]
    (tmp_path / "model-answers.sqlite3").write_bytes(b"no database at all, but long enough to be looked at" * 99)
    assert ModelTopics(Scripted(answers=["[2]"]), tmp_path).find(PARTS) == [1]


def test_a_model_that_fails_again_and_again_is_left_alone(tmp_path, caplog):
    model = Scripted(answers=[ConnectionError("text of a note")], asked=[])
    topics = ModelTopics(model, tmp_path)
    assert [topics.find([*PARTS, str(number)]) for number in range(9)] == [None] * 9
    assert len(model.asked) == MOST_FAILURES
    assert "text of a note" not in caplog.text
    assert "isn't asked any more" in caplog.text


def test_the_prompt_is_in_the_language_of_the_text(tmp_path):
    model = Scripted(answers=["[2]"], asked=[])
    ModelTopics(model, tmp_path).find(["第一句话。", "第二句话。"])
    ModelTopics(model, tmp_path).find(PARTS)
    (zh, numbered), (en, _) = model.asked
    assert "按话题分段" in zh.content
    assert "into topics" in en.content
    assert numbered.content == "[1] 第一句话。\n[2] 第二句话。"


TEXT = " ".join(f"Sentence {number} about tea." for number in range(60)) + "\n"


@pytest.fixture
def config(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "loose.md").write_text(TEXT, encoding="utf-8")
    (vault / "ordered.md").write_text(f"# A\n\n{TEXT}\n## B\n\n{TEXT}", encoding="utf-8")
    return RagConfig(
        vault=vault,
        index=tmp_path / "index",
        embeddings="hashing",
        vector_store="memory",
        splitter={"ask_model": "without_headings"},
    )


def test_the_configuration_lets_the_model_be_asked(config):
    model = Scripted(answers=["[28]"], asked=[])
    components = Components(chat_model=model)
    chunks = split_note(config, "loose.md", components=components)
    assert TEXT.index("Sentence 27 ") in [chunk.metadata["start_index"] for chunk in chunks]
    assert len(model.asked) == 1
    report = index_vault(config, components=components)
    assert (report.failed, len(model.asked)) == ((), 1), "what is known isn't asked, nor are notes with headings"
    assert index_vault(config, components=components).unchanged


def test_rules_say_for_which_notes(config, tmp_path):
    splitter = {"rules": [{"paths": ["talks/**"], "ask_model": "always"}]}
    ruled = RagConfig(**{**config.model_dump(), "splitter": splitter})
    built = build_components(ruled, Components(chat_model=Scripted(answers=["[]"])), kinds=("splitter",)).splitter
    assert isinstance(built, RuleSplitter)
    assert type(built.default) is ObsidianSplitter
    assert isinstance(built.splitter_for("talks/a.md", {}), TopicSplitter)


def test_without_a_chat_model_it_says_what_to_do(config):
    with pytest.raises(ConfigError, match=r"splitter\.ask_model.*chat_model: \{name"):
        build_components(config, kinds=("splitter",))


def test_the_index_depends_on_whether_it_is_asked_and_not_on_the_model(config):
    def described(model, **values):
        settings = RagConfig(**{**config.model_dump(), **values})
        ready = build_components(settings, Components(chat_model=model), kinds=("splitter",))
        return describe_settings(settings, ready)["splitter"]

    one, other = Scripted(answers=["[]"]), Scripted(answers=["[2]"], model="other")
    assert described(one) == described(other)
    assert described(one) != described(one, splitter={"ask_model": "always"})
    assert described(one) != described(one, splitter={})
