"""What the READMEs show is what works, and the two say the same."""

import re
from pathlib import Path

import pytest
import yaml
from langchain_core.language_models import FakeListChatModel

from obsirag.cli.app import app
from obsirag.config import RagConfig

ROOT = Path(__file__).parents[1]
ENGLISH, CHINESE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_code_runs(text, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {"my_chat_model": FakeListChatModel(responses=["."])}
    for code in blocks(text, "python"):
        exec(code.replace('index=".obsirag"', f"index={str(tmp_path / 'index')!r}, embeddings='hashing'"), names)
    assert names["result"]["status"] == "answered"
    assert names["documents"]


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_configurations_are_valid_and_the_links_lead_somewhere(text):
    for block in blocks(text, "yaml"):
        assert RagConfig(**yaml.safe_load(block))
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_commands_that_are_named_exist(text):
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    assert set(re.findall(r"`obsirag ([a-z]\w*)", text)) <= known


def test_what_one_runs_the_other_does():
    code = [re.sub(r"#.*", "", block) for block in blocks(ENGLISH, "python")]
    assert {re.sub(r"#.*", "", block) for block in blocks(CHINESE, "python")} <= {
        block.replace("Title", "标题").replace("Some text.", "一些文字。") for block in code
    }
    commands = [set(re.findall(r"^\| `obsirag (\w+)", text, re.MULTILINE)) for text in (ENGLISH, CHINESE)]
    assert commands[1] == commands[0]
