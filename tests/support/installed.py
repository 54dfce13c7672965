"""Uses obsirag where nothing but its wheel is installed; run by `make package`, in no test.

Without an extra: a vault is indexed, searched and asked. With ``--commands``, the same by the command line.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

NOTE = "# Cooling\n\nThe pump of rack 3 must not run longer than 40 minutes.\n"
QUESTION = "How long may the pump of rack 3 run?"


def in_python(folder: Path) -> str:
    """Return the answer, got without any extra."""
    from obsirag import RagConfig, Vault, build_rag_graph, index_vault, open_retriever

    assert "site-packages" in str(sys.modules["obsirag"].__file__)
    assert Vault(folder / "notes").render("Cooling.md").text.startswith("# Cooling")
    config = RagConfig(vault=folder / "notes", index=folder / "index", embeddings="hashing")
    assert index_vault(config).added == ("Cooling.md",)
    assert open_retriever(config).invoke(QUESTION)[0].metadata["source"] == "Cooling.md"
    result = build_rag_graph(config).compile().invoke({"messages": [("user", QUESTION)]})
    return str(result["answer"])


def by_command(folder: Path) -> str:
    """Return the answer that the command prints."""
    command = Path(sys.executable).with_name("obsirag")
    options = ["--index", str(folder / "index")]
    subprocess.run([command, "index", str(folder / "notes"), *options], check=True, stderr=subprocess.DEVNULL)
    asked = [command, "ask", "--vault", str(folder / "notes"), *options, QUESTION]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        (Path(place) / "notes").mkdir()
        (Path(place) / "notes" / "Cooling.md").write_text(NOTE, encoding="utf-8")
        answer = (by_command if "--commands" in sys.argv else in_python)(Path(place))
    assert "40 minutes" in answer, answer
    print("answered:", answer.splitlines()[0])
