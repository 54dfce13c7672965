"""The reference of cleaning lists exactly the steps and options that there are, in their order, with their defaults."""

import json
import re
from pathlib import Path

import pytest
import yaml

from obsirag.cleaning import CleaningStep, clean, cleaning_steps
from obsirag.config import CleaningOptions, HeaderFooterOptions, RagConfig, WatermarkOptions
from obsirag.records import Edit, RenderedNote

REFERENCE = (Path(__file__).parents[1] / "docs" / "reference" / "cleaning.md").read_text(encoding="utf-8")


def table_after(words: str) -> list[tuple[str, str]]:
    """Return the first two cells of each row of the first table after ``words``."""
    rest = REFERENCE[REFERENCE.index(words) :]
    table = re.search(r"(?:^\|.*\n)+", rest, re.MULTILINE).group()
    return re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", table, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "model"),
    [
        ("## The steps", CleaningOptions),
        ("`headers_footers` takes", HeaderFooterOptions),
        ("`watermarks` takes", WatermarkOptions),
    ],
)
def test_every_option_is_listed_in_order_with_its_default(words, model):
    defaults = [(name, json.dumps(value)) for name, value in model().model_dump(mode="json").items()]
    assert table_after(words) == defaults


def test_the_steps_run_in_the_order_of_the_table():
    everything = {name: True for name, value in CleaningOptions().model_dump().items() if isinstance(value, bool)}
    options = CleaningOptions(**everything, page_breaks=["x"], markers=["x"])
    steps = cleaning_steps(options, [CleaningStep("steps", lambda text: ())])
    assert [step.name for step in steps] == [name for name, _ in table_after("## The steps")]


def test_the_step_that_is_shown_works(tmp_path, monkeypatch):
    source, use = re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL)
    names = {}
    exec(source, names)
    step = names["cleaner"]({})
    assert list(step.find("a (stamp 12)")) == [Edit(2, 12)]
    assert clean(RenderedNote("n.md", "a (stamp 12) `(stamp 1)`"), more_steps=[step]).text == "a  `(stamp 1)`"
    note = tmp_path / "notes" / "Reports" / "2025.md"
    note.parent.mkdir(parents=True)
    note.write_text("预 算 (stamp 3)x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(use, names)
    assert names["cleaned"].text == "预算 x"


def test_the_configurations_that_are_shown_are_valid():
    shown = re.findall(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL)
    assert shown
    for each in shown:
        RagConfig(vault="notes", index="index", **yaml.safe_load(each))
