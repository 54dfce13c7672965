"""The reference of splitting lists exactly the options, units and conditions that there are, with their defaults."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
import yaml

from obsirag.config import RagConfig, SplitterOptions, SplitterRuleOptions

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "reference" / "splitting.md").read_text(encoding="utf-8")
CONDITIONS = ("paths", "tags", "fields")
SHOWN = re.findall(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL)


def table_after(words: str) -> list[list[str]]:
    """Return the cells of the first table after ``words``, without its head, and without backquotes."""
    rest = REFERENCE[REFERENCE.index(words) :]
    table = re.search(r"(?:^\|.*\n)+", rest, re.MULTILINE).group()
    return [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def test_every_option_is_listed_in_order_with_its_default():
    defaults = [[name, json.dumps(value)] for name, value in SplitterOptions().model_dump(mode="json").items()]
    assert [row[:2] for row in table_after("## The options")] == defaults


def test_every_unit_is_listed_in_order():
    units = get_args(SplitterOptions.model_fields["unit"].annotation)
    assert [row[0] for row in table_after("Whatever is set")] == list(units)


def test_every_condition_is_listed_in_order_with_its_default():
    defaults = SplitterRuleOptions(tags=["x"]).model_dump(mode="json", include=set(CONDITIONS)) | {"tags": []}
    listed = [row[:2] for row in table_after("## Rules for kinds of notes")]
    assert listed == [[name, json.dumps(value)] for name, value in defaults.items()]


def test_the_sizes_that_a_rule_may_set_are_listed_in_order():
    sentence = re.search(r"Beside them, a rule may set (.*?)\.", REFERENCE, re.DOTALL).group(1)
    sizes = [name for name in SplitterRuleOptions.model_fields if name not in CONDITIONS]
    assert re.findall(r"`(\w+)`", sentence) == sizes


@pytest.mark.parametrize("shown", SHOWN, ids=range(len(SHOWN)))
def test_the_configurations_that_are_shown_are_valid(shown):
    config = RagConfig(vault="notes", index="index", **yaml.safe_load(shown))
    for rule in config.splitter.rules:
        assert config.splitter.for_rule(rule) != config.splitter


def test_the_program_that_is_shown_runs(monkeypatch):
    (source,) = re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL)
    monkeypatch.chdir(ROOT)
    names = {}
    exec(source, names)
    sizes = {path: names["splitter"].splitter_for(path, {})._chunk_size for path in ("GAS/a.md", "a.md")}
    assert sizes == {"GAS/a.md": 600, "a.md": 1000}
    assert names["chunks"]
