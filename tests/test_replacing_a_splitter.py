"""The examples of the how-to on replacing a LangChain splitter run, and its table tells the truth."""

import re
from pathlib import Path

import pytest
import tiktoken
from tokenizers import Tokenizer, models, pre_tokenizers

from obsirag import ObsidianSplitter

HOW_TO = (Path(__file__).parents[1] / "docs" / "how-to" / "replace-a-langchain-splitter.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
CHANGED_LINES = re.search(r"```diff\n(.*?)```", HOW_TO, re.DOTALL).group(1)


@pytest.fixture
def tokenizers_at_hand(tmp_path, monkeypatch):
    """Real tokenizers where the examples look for them, each byte or word a token: the usual ones need the network."""
    every_byte = tiktoken.Encoding(
        "cl100k_base", pat_str=".", mergeable_ranks={bytes([each]): each for each in range(256)}, special_tokens={}
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "cl100k_base", every_byte)
    words = Tokenizer(models.WordLevel({"unknown": 0}, unk_token="unknown"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.enable_truncation(10)
    words.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.chdir(tmp_path)
    return {
        "from_tiktoken_encoder": lambda text: len(text.encode()),
        "from_huggingface": lambda text: len(text.split()),
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_runs(example, tokenizers_at_hand):
    names = {}
    exec(example, names)
    counts = [count for maker, count in tokenizers_at_hand.items() if maker in example]
    for count in counts:
        lengths = [count(chunk) for chunk in names["chunks"]]
        assert len(lengths) > 1
        assert max(lengths) <= 300
    if "store" in names:
        assert [each.page_content for each in names["store"].similarity_search("tea")] == ["# Tea\n\nLeaves and water."]


@pytest.mark.parametrize("sign", ["-", "+"])
def test_before_and_after_the_swap_the_program_runs(sign):
    lines = [line[1:] for line in CHANGED_LINES.splitlines() if line[:1] in (sign, " ")]
    documents = ObsidianSplitter().create_documents(["# Tea\n\nLeaves and water.\n"], [{"source": "tea.md"}])
    names = {"documents": documents}
    exec("\n".join(lines), names)
    assert [chunk.page_content for chunk in names["chunks"]] == ["# Tea\n\nLeaves and water."]
    assert names["chunks"][0].metadata["start_index"] == 0


VALUES = {"length_function": len, "chunk_size": 100, "chunk_overlap": 0.1}
ROWS = [
    (name, row)
    for cell, row in re.findall(r"^\| (`.*?) \| (.*) \|$", HOW_TO, re.MULTILINE)
    for name in re.findall(r"`(\w+)`", cell)
]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[name for name, _ in ROWS])
def test_the_table_says_what_becomes_of_an_argument(name, row):
    value = VALUES.get(name, True)
    if row.startswith("A `TypeError`"):
        with pytest.raises(TypeError, match=f"takes no `{name}`: "):
            ObsidianSplitter(**{name: value})
        return
    text = "# Tea\n\n" + "Leaves and water. " * 200
    same = ObsidianSplitter(**{name: value}).split_text(text) == ObsidianSplitter().split_text(text)
    assert same is ("changes nothing" in row.lower() or name == "length_function")
