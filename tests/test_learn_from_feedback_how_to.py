"""What the documentation says of marks and of saved answers is what happens."""

import re
from pathlib import Path

import yaml

from obsirag.config import RagConfig

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/learn-from-feedback.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_prints_what_is_shown(tmp_path, capsys):
    names = {}
    _, *printed = blocks("text")
    for code, shown in zip(blocks("python"), printed, strict=True):
        code = code.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
        code = code.replace('"my-notes"', repr(str(tmp_path / "my-notes")))
        code = re.sub(
            r'index="([\w.-]+)"', lambda found: f"index={str(tmp_path / found[1])!r}, embeddings='hashing'", code
        )
        exec(code, names)
        assert capsys.readouterr().out == shown


def test_the_configurations_are_valid():
    preferences, growth = map(yaml.safe_load, blocks("yaml"))
    assert RagConfig(vault="v", index="i", **preferences).retrieval.preferences.half_life == 30
    assert RagConfig(**growth).growth.folder == "Answers"
