"""``obsirag ask``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from obsirag.cli.citations import print_citations
from obsirag.cli.output_file import JSON, output_file
from obsirag.cli.printing import print_json, print_line
from obsirag.cli.record_file import write_record
from obsirag.cli.settle import (
    ConfigFile,
    IndexFolder,
    Labels,
    PresetName,
    VaultFolder,
    folder,
    settle_config,
    some_text,
)
from obsirag.config import with_preset
from obsirag.errors import ConfigError

__all__ = ["ask"]


def ask(
    question: Annotated[str, typer.Argument(help="The question.", parser=some_text, metavar="QUESTION")],
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    label: Labels = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            help="Write what each step got and gave to a file, with all texts; see `obsirag trace`.",
            parser=folder,
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Answer a question from the notes, with numbered citations."""
    from langchain_core.messages import HumanMessage

    from obsirag.graphs import RagContext, RunRecorder, build_rag_graph

    file = None if trace is None else output_file(trace, "--trace", JSON)
    recorder = RunRecorder()
    settings = settle_config(vault, index, config, preset=preset)
    if with_preset(settings).review.is_on:
        raise ConfigError(
            "review: a question may have to wait for a person, and this command would not take it up again: use "
            "`obsirag chat --thread NAME`, or set review: {mode: off}"
        )
    graph: Any = build_rag_graph(settings, observers=[] if file is None else [recorder]).compile()
    try:
        result = graph.invoke({"messages": [HumanMessage(question)]}, context=RagContext(labels=label or []))
    finally:
        if file is not None:
            write_record(file, recorder.record())
    if as_json:
        print_json({name: result[name] for name in ("answer", "status", "citations", "degraded")})
        return
    print_line(result["answer"])
    print_citations(result["citations"])
