"""The examples of the how-to do what it says."""

import re
from pathlib import Path

from tool_worlds import ToolCallingChat

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/give-it-to-an-agent.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_says(tmp_path, capsys):
    asks = [[("ask_notes", {"question": "回滚 release 流要谁同意？"})]]
    names = {"chat_model": ToolCallingChat(turns=asks)}
    seen = 0
    for kind, block in re.findall(r"```(python|text)\n(.*?)```", PAGE, re.DOTALL):
        if kind == "python":
            code = block.replace('"examples/ue-notes"', repr(str(ROOT / "examples/ue-notes")))
            code = code.replace('index=".obsirag"', f"index={str(tmp_path / 'index')!r}, embeddings='hashing'")
            exec(code, names)
        else:
            seen += 1
            assert capsys.readouterr().out == block
    assert seen == PAGE.count("```text") > 0


def test_the_tools_are_those_of_the_table():
    from obsirag import RagConfig, note_tools

    tools = note_tools(RagConfig(vault="v", index="i"))
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == [tool.name for tool in tools]
