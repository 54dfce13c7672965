import tomllib
from importlib.resources import files

import pytest

from obsirag.graphs import prompts
from obsirag.graphs.prompts import Prompts, notice, part_names


def test_both_languages_have_the_same_prompts_and_notices():
    names = {path.name for path in files(prompts).iterdir() if path.name.endswith((".md", ".toml"))}
    assert {name.replace(".zh.", ".en.") for name in names if ".zh." in name} == {n for n in names if ".en." in n}
    en, zh = (
        tomllib.loads(files(prompts).joinpath(f"notices.{each}.toml").read_text("utf-8")) for each in ("en", "zh")
    )
    assert en.keys() == zh.keys()
    assert en["parts"].keys() == zh["parts"].keys()


def test_values_are_not_read_as_templates():
    assert "costs $question" in Prompts().fill(
        "answer", "en", passages="costs $question", conversation="", question="q"
    )


@pytest.mark.parametrize(("language", "joined"), [("en", "chat model, vector search"), ("zh", "聊天模型、向量检索")])
def test_parts_are_named_in_the_readers_language(language, joined):
    assert part_names(["chat_model", "vector_search"], language) == joined
    assert joined in notice("degraded", language, names=joined)
