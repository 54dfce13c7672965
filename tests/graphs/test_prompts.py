import tomllib
from importlib.resources import files

import pytest

from obsirag.components import index_vault
from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.graphs import prompts
from obsirag.graphs.parts import open_parts
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


def own(folder, text, name="grade.en.md"):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return Prompts(folder)


@pytest.mark.parametrize(
    "text", ["$passages $question", "${question} $passages $passages costs $$5", "\ufeff$question $passages"]
)
def test_what_holds_all_that_is_to_be_filled_in_can_be_used(tmp_path, text):
    prompts = own(tmp_path, text)
    prompts.check()
    assert prompts.fill("grade", "en", passages="[p]", question="[q]").replace("[p]", "").startswith(("[q]", " [q]"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("$passages", r"lacks \$question$"),
        ("", r"lacks \$passages, \$question$"),
        ("$passages $question $answer", r"names \$answer, for which there is nothing to fill in"),
        ("$passages $question for 5 $", r"holds a lone \$"),
        ("$passages $question ${", r"holds a lone \$"),
        (b"$passages $question \xff", "cannot be read; it must be a UTF-8 text file"),
    ],
)
def test_what_cannot_be_used_is_an_error_that_names_the_file(tmp_path, text, told):
    with pytest.raises(ConfigError, match=told) as failure:
        own(tmp_path, text).check()
    assert str(tmp_path / "grade.en.md") in str(failure.value)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("grades.en.md", r"did you mean grade\.en\.md\?"),
        ("grade.fr.md", "is no prompt's name"),
        ("Zebra.md", "known are about_answer"),
    ],
)
def test_a_file_that_is_no_prompt_is_an_error(tmp_path, name, told):
    with pytest.raises(ConfigError, match=told) as failure:
        own(tmp_path, "$passages $question", name).check()
    assert name in str(failure.value)


def test_what_is_no_prompt_file_at_all_may_lie_beside_them(tmp_path):
    own(tmp_path, "$", "notes.txt").check()
    Prompts().check()


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    for folder in (tmp_path / "nowhere", tmp_path / "file"):
        (tmp_path / "file").touch()
        with pytest.raises(ConfigError, match="there is no folder") as failure:
            Prompts(folder).check()
        assert str(folder) in str(failure.value)


def test_the_configuration_names_the_folder_and_it_is_checked_before_a_question_is_asked(tmp_path):
    vault, folder = tmp_path / "vault", tmp_path / "prompts"
    vault.mkdir()
    folder.mkdir()
    (vault / "Rules.md").write_text("The respawn timer is 8 seconds.")
    config = RagConfig(
        vault=vault, index=tmp_path / "index", embeddings="hashing", vector_store="memory", prompts=folder
    )
    index_vault(config)
    assert open_parts(config).prompts == Prompts(folder)
    own(folder, "$passages")
    with pytest.raises(ConfigError, match="lacks"):
        open_parts(config)
