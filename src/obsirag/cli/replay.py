"""``obsirag replay``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from obsirag.cli.differences import print_differences
from obsirag.cli.output_file import JSON, output_file
from obsirag.cli.printing import print_json
from obsirag.cli.record_file import write_record
from obsirag.cli.settle import ConfigFile, IndexFolder, Labels, PresetName, VaultFolder, folder, settle_config
from obsirag.errors import TraceError

if TYPE_CHECKING:
    from obsirag.graphs.tracing.shape import RunRecord

__all__ = ["replay"]


def replay(
    dump: Annotated[
        Path, typer.Argument(help="What a node got: a file from `tracing.dumps`.", parser=folder, metavar="DUMP")
    ],
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    label: Labels = None,
    node: Annotated[
        str | None, typer.Option("--node", help="The node to run; if not given, the one that the file is of.")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            help="A record of a run: tell how what the node gives differs from what it gave there.",
            parser=folder,
            metavar="FILE",
        ),
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write the record of it to a file.", parser=folder, metavar="FILE")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print differences as JSON.")] = False,
) -> None:
    """Run one node alone on what it got in an earlier run, and print its update as JSON.

    With --against the exit code is 1 if there are differences.
    """
    from obsirag.graphs import RunRecorder, build_rag_graph
    from obsirag.graphs.replay import replay_node
    from obsirag.graphs.tracing import read_dump, read_record
    from obsirag.graphs.tracing.comparison import compare_records
    from obsirag.graphs.tracing.plain_data import to_plain
    from obsirag.graphs.tracing.reading import record_of_update

    file = None if trace is None else output_file(trace, "--trace", JSON)
    got = read_dump(dump)
    name = node or got.node
    other = None if against is None else read_record(against)
    settings = settle_config(vault, index, config, preset=preset)
    tracing = settings.tracing.model_copy(update={"dumps": None})
    recorder = RunRecorder()
    graph = build_rag_graph(settings.model_copy(update={"tracing": tracing}), observers=[recorder])
    try:
        update = replay_node(graph, name, got.state, labels=label or [])
    finally:
        if file is not None:
            write_record(file, recorder.record())
    if other is None or against is None:
        print_json(to_plain(update))
        return
    task = next((each["task"] for each in recorder.record()["steps"]), None)
    before = given_in(other, name, got.step, task, against)
    first, second = (record_of_update(name, got.step, each) for each in (before, update))
    if print_differences(compare_records(first, second), as_json=as_json):
        raise typer.Exit(1)


def given_in(record: RunRecord, node: str, step: int, task: Any, file: Path) -> dict[str, Any]:
    """Return what a node gave in a recorded run: for the same task in the same step, as far as that is to be had.

    Raises:
        TraceError: If it is not in the run.
    """
    from obsirag.graphs.tracing.plain_data import from_plain

    steps = [each for each in record["steps"] if each["node"] == node]
    if not steps:
        raise TraceError(f"{file}: the run had no node {node}")
    found = max(steps, key=lambda each: (each["task"] == task, each["step"] == step))
    try:
        return dict(from_plain(found["update"] or {}))
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{file}: what {node} gave cannot be read") from error
