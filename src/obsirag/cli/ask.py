"""``obsirag ask``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from obsirag.cli.citations import print_citations
from obsirag.cli.printing import print_json, print_line
from obsirag.cli.settle import ConfigFile, IndexFolder, Labels, VaultFolder, settle_config, some_text

__all__ = ["ask"]


def ask(
    question: Annotated[str, typer.Argument(help="The question.", parser=some_text, metavar="QUESTION")],
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    label: Labels = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Answer a question from the notes, with numbered citations."""
    from langchain_core.messages import HumanMessage

    from obsirag.graphs import RagContext, build_rag_graph

    graph: Any = build_rag_graph(settle_config(vault, index, config)).compile()
    result = graph.invoke({"messages": [HumanMessage(question)]}, context=RagContext(labels=label or []))
    if as_json:
        print_json({name: result[name] for name in ("answer", "status", "citations", "degraded")})
        return
    print_line(result["answer"])
    print_citations(result["citations"])
