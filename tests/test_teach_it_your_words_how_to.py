"""What the documentation says of glossaries is what happens."""

import re
from pathlib import Path

import yaml

from obsirag.config import RagConfig
from obsirag.glossary import terms_in_markdown

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/teach-it-your-words.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_prints_what_is_shown(tmp_path, capsys):
    names = {}
    for code, printed in zip(blocks("python"), blocks("text"), strict=True):
        code = code.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
        code = code.replace('index=".obsirag"', f"index={str(tmp_path / 'index')!r}, embeddings='hashing'")
        exec(code, names)
        assert capsys.readouterr().out == printed


def test_the_configurations_are_valid():
    whole, areas = map(yaml.safe_load, blocks("yaml"))
    assert RagConfig(**whole).terms.is_on
    assert RagConfig(vault="v", index="i", **areas).terms.areas["战斗"] == {"tags": "gas"}


def test_the_ways_of_writing_are_read_as_it_says():
    (table,) = blocks("markdown")
    assert [(term.name, term.synonyms) for term in terms_in_markdown(table)] == [("SaveGame 槽位", ("小本本",))]
    section = PAGE.partition("## Write a glossary")[2].partition("\nSeveral names")[0]
    written = re.findall(r"^\| `(- [^`]*)` \|", section, re.MULTILINE)
    assert len(written) == 3
    for text in [*written, "Term\n: word, other word"]:
        assert [(term.name, term.synonyms) for term in terms_in_markdown(text)] == [("Term", ("word", "other word"))]
