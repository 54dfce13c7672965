"""``obsirag eval``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from obsirag.cli.eval_files import file_for, write_file, write_page
from obsirag.cli.eval_measuring import measure
from obsirag.cli.eval_table import summary_as_lines
from obsirag.cli.output_file import HTML
from obsirag.cli.printing import complain, print_lines
from obsirag.cli.settle import ConfigFile, IndexFolder, PresetName, VaultFolder, folder, settle_config
from obsirag.errors import EvaluationError

if TYPE_CHECKING:
    from obsirag.evaluation import Threshold

__all__ = ["evaluate"]

DEFAULT_RANKS = "1,5,10"

Names = list[str] | None
QuestionFiles = Annotated[
    list[Path], typer.Argument(help="Question files, a JSON object a line.", parser=folder, metavar="QUESTIONS...")
]
OtherConfig = Annotated[
    Path | None,
    typer.Option("--against", help="A second configuration file, to compare with.", parser=folder, metavar="FILE"),
]
Ranks = Annotated[str, typer.Option("--k", help="The ranks to measure at, with commas.", metavar="RANKS")]
Least = Annotated[
    Names, typer.Option("--min", help="What a measure has to reach, such as recall@5=.8.", metavar="NAME=VALUE")
]
Most = Annotated[
    Names, typer.Option("--max", help="What a measure may not pass, such as tokens=4000.", metavar="NAME=VALUE")
]
Answers = Annotated[bool, typer.Option("--answers", help="Measure the answers of the question graph.")]
NotWorse = Annotated[
    Names, typer.Option("--not-worse", help="A measure that may not be worse than with --against.", metavar="NAME")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write everything to this .json file.", parser=folder, metavar="FILE")
]
MarkdownFile = Annotated[
    Path | None, typer.Option("--markdown", help="Write the tables to this .md file.", parser=folder, metavar="FILE")
]
HtmlFile = Annotated[
    Path | None,
    typer.Option("--html", help="Write a page with plots and failures to this file.", parser=folder, metavar="FILE"),
]
PageLanguage = Annotated[
    Literal["en", "zh"] | None, typer.Option("--lang", help="The page's language; the questions' if not given.")
]


def evaluate(
    questions: QuestionFiles,
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    against: OtherConfig = None,
    answers: Answers = False,
    k: Ranks = DEFAULT_RANKS,
    least: Least = None,
    most: Most = None,
    not_worse: NotWorse = None,
    json: JsonFile = None,
    markdown: MarkdownFile = None,
    html: HtmlFile = None,
    lang: PageLanguage = None,
) -> None:
    """Measure how well the answers' places are found in an index, with one configuration or two side by side.

    With --answers, the questions are answered, and the answers measured: what they say, what they cite, how they end.

    Each question is asked with its own labels, a follow-up together with what came before it. Nothing is indexed: run
    `obsirag index` first.

    The exit code is 1 if a measure doesn't reach its --min, passes its --max, or, named by --not-worse, is worse than
    with --against by more than chance; if text came back that the caller may not read; if a part failed; or if the
    questions or the index cannot be read. It is 2 for wrong use.
    """
    from obsirag.evaluation import EvaluationSummary, compare, find_faults, load_question_sets
    from obsirag.graphs.language import language_of

    if not_worse and against is None:
        raise typer.BadParameter("--not-worse needs --against, which says what to compare with")
    if answers and k != DEFAULT_RANKS:
        raise typer.BadParameter("--k is of what is found; it has no meaning with --answers")
    ranks = None if answers else read_ranks(k)
    thresholds = read_wishes(least or (), most or (), not_worse or (), ranks)
    json_file, markdown_file = file_for("--json", json, ".json"), file_for("--markdown", markdown, ".md")
    html_file = file_for("--html", html, *HTML)
    asked = load_question_sets(questions)
    settings = [settle_config(vault, index, config, preset=preset)]
    if against is not None:
        settings.append(settle_config(None, None, against))
    mine, *others = [measure(each, asked, ranks, keeps_failures=html_file is not None) for each in settings]
    other = others[0] if others else None
    comparison = compare(mine.report, other.report) if other else None
    faults = find_faults(mine.report, thresholds, comparison=comparison, not_worse=not_worse or ())
    summary = EvaluationSummary(
        name=str(config or vault or settings[0].vault),
        report=mine.report,
        against_name=str(against or ""),
        against=other.report if other else None,
        comparison=comparison,
        missing_gold={**(other.missing_gold if other else {}), **mine.missing_gold},
        faults=tuple(map(str, faults)),
    )
    print_lines(summary_as_lines(summary))
    write_file(json_file, summary.to_json)
    write_file(markdown_file, summary.to_markdown)
    if html_file is not None:
        kept = [each.kept for each in (mine, *others)]
        write_page(html_file, summary, faults, kept, lang or language_of("\n".join(each.question for each in asked)))
    for fault in summary.faults:
        complain(f"Not passed: {fault}")
    if summary.faults:
        raise typer.Exit(1)


def read_ranks(given: str) -> tuple[int, ...]:
    """Return the ranks of ``--k``, ascending."""
    parts = [part.strip() for part in given.split(",")]
    if not all(part.isascii() and part.isdecimal() and int(part) for part in parts):
        raise typer.BadParameter(f"--k: {given!r} is no list of ranks; write numbers with commas, such as 1,5,10")
    return tuple(sorted({int(part) for part in parts}))


def read_wishes(
    least: Collection[str], most: Collection[str], not_worse: Collection[str], ranks: tuple[int, ...] | None
) -> list[Threshold]:
    """Return the thresholds of ``--min`` and ``--max``; they and ``--not-worse`` must be of what is measured."""
    from obsirag.evaluation import AnswerReport, RetrievalReport, check_measure, parse_threshold

    measures = AnswerReport(()).measures if ranks is None else RetrievalReport((), k=ranks).measures
    names = [measure.name for measure in measures]
    try:
        for name in not_worse:
            check_measure(name, names)
        minima = [parse_threshold(each, names) for each in least]
        return minima + [parse_threshold(each, names, is_most=True) for each in most]
    except EvaluationError as error:
        raise typer.BadParameter(str(error)) from error
