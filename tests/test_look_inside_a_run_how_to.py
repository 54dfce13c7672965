"""The examples of the how-to do what it says, and the reference tells each field of a record."""

import json
import logging
import re
from pathlib import Path
from typing import get_type_hints

import yaml

from obsirag import RagConfig
from obsirag.graphs.tracing.shape import Passage, Round, RunRecord, StepRecord

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/look-inside-a-run.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs/reference/run-record.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_says(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    logger = logging.getLogger("obsirag.graphs")
    monkeypatch.setattr(logger, "setLevel", lambda level: monkeypatch.setattr(logger, "level", logger.level))
    names = {}
    seen = 0
    for kind, block in re.findall(r"```(python|text)\n(.*?)```", PAGE, re.DOTALL):
        if kind == "python":
            code = block.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
            exec(code.replace('index=".obsirag"', "index='.obsirag', embeddings='hashing'"), names)
        else:
            seen += 1
            assert capsys.readouterr().out == block
    assert seen == PAGE.count("```text") > 0


def test_the_configurations_and_the_line_that_are_shown_are_valid():
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL):
        assert RagConfig(vault="v", index="i", **yaml.safe_load(block)).tracing
    [line] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert json.loads(line)["node"] == "grade"


def test_each_field_of_a_record_is_told():
    sections = re.split(r"^## ", REFERENCE, flags=re.MULTILINE)
    for section, form in zip(sections, (RunRecord, Round, Passage, StepRecord), strict=True):
        assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(get_type_hints(form))
