"""``obsirag trace``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from obsirag.cli.differences import print_differences
from obsirag.cli.output_file import HTML, output_file
from obsirag.cli.printing import complain
from obsirag.cli.settle import folder
from obsirag.errors import reason_of

__all__ = ["trace_app"]

trace_app = typer.Typer(
    no_args_is_help=True, help="Look at recorded runs (`obsirag ask --trace FILE`), and at what differs between two."
)

RecordFile = Annotated[Path, typer.Argument(help="The record of a run.", parser=folder, metavar="RUN")]
ComparedFile = Annotated[
    Path, typer.Argument(help="The record of a run, or what a node got in one.", parser=folder, metavar="FILE")
]


@trace_app.command()
def compare(
    first: ComparedFile,
    second: ComparedFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print the differences as JSON.")] = False,
) -> None:
    """Tell what differs between two runs: queries, hits with ranks and scores, verdicts, answer, citations.

    The exit code is 1 if anything does.
    """
    from obsirag.graphs.tracing.comparison import compare_records
    from obsirag.graphs.tracing.reading import read_comparable

    differences = compare_records(read_comparable(first), read_comparable(second))
    if print_differences(differences, as_json=as_json):
        raise typer.Exit(1)


@trace_app.command()
def html(
    record: RecordFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.", parser=folder, metavar="FILE")],
    lang: Annotated[
        Literal["en", "zh"] | None, typer.Option("--lang", help="The page's language; the question's if not given.")
    ] = None,
) -> None:
    """Write a page that shows a run: the plan, what each search found, what fell out and where, and the answer."""
    from obsirag.cli.run_page import run_page
    from obsirag.graphs.language import language_of
    from obsirag.graphs.tracing import read_record
    from obsirag.graphs.tracing.files import write_private

    file = output_file(output, "--output", HTML)
    told = read_record(record)
    page = run_page(told, lang or language_of(told["question"]))
    try:
        write_private(file, page)
    except OSError as error:
        complain(f"Error: {file} cannot be written: {reason_of(error)}")
        raise typer.Exit(1) from error
