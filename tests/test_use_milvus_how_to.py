"""What the documentation says of Milvus is what happens."""

import re
from pathlib import Path

import pytest
import yaml

from obsirag.config import RagConfig, resolve_options
from obsirag.plugins.milvus_options import MilvusOptions

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/use-milvus.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_prints_what_is_shown(tmp_path, capsys):
    pytest.importorskip("milvus_lite")
    names = {}
    for code, printed in zip(blocks("python"), blocks("text"), strict=True):
        code = code.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
        code = code.replace('index=".obsirag"', f"index={str(tmp_path / 'index')!r}, embeddings='hashing'")
        exec(code, names)
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize("block", blocks("yaml"))
def test_the_configurations_are_valid(block):
    config = RagConfig(vault="v", index="i", **yaml.safe_load(block))
    options = resolve_options(config.vector_store, place="vector_store", environ={"MILVUS_TOKEN": "x"})
    parsed = MilvusOptions.parse(options, place="vector_store").model_dump()
    assert config.vector_store.name == "milvus"
    assert options.keys() <= parsed.keys()


def test_the_defaults_are_those_of_the_store():
    store = pytest.importorskip("obsirag.plugins.milvus_store")
    shown = dict(re.findall(r"^\| `(\w+)` \((\d+)\)", PAGE, re.MULTILINE))
    assert shown == {"m": str(store._M), "ef_construction": str(store._EF_CONSTRUCTION), "ef": str(store._EF)}
