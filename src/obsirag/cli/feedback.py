"""``obsirag feedback``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from obsirag.cli.printing import complain, one_line, print_json, print_line, print_lines
from obsirag.cli.settle import ConfigFile, IndexFolder, Labels, VaultFolder, settle_config, some_text

if TYPE_CHECKING:
    from obsirag.feedback import Mark, MarkKind, Preference

__all__ = ["feedback_app", "mark_as_line"]

feedback_app = typer.Typer(
    no_args_is_help=True, help="See, make and revoke marks on answers, and see what they say of a question."
)

Question = Annotated[str, typer.Argument(help="The question.", parser=some_text, metavar="QUESTION")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@feedback_app.command()
def add(
    kind: Annotated[str, typer.Argument(help="good, bad, better_source or correction.", metavar="KIND")],
    question: Question,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="The path of a note, or a URL; may be given several times.")
    ] = None,
    words: Annotated[str, typer.Option("--words", help="What you add; what is right, for a correction.")] = "",
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    label: Labels = None,
) -> None:
    """Mark sources of an answer as good or bad, name better ones, or say in words what is right."""
    from obsirag.components import open_feedback

    feedback = open_feedback(settle_config(vault, index, config))
    mark = feedback.add(cast("MarkKind", kind), question, sources=source or [], words=words, labels=label or [])
    print_line(mark_as_line(mark))


@feedback_app.command("list")
def list_marks(
    question: Annotated[
        str | None, typer.Option("--question", help="Only marks on questions like this one.", parser=some_text)
    ] = None,
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    label: Labels = None,
    as_json: AsJson = False,
) -> None:
    """List the marks that these labels may see, the oldest first."""
    from obsirag.components import open_feedback

    marks = open_feedback(settle_config(vault, index, config)).list(question=question, labels=label or [])
    if as_json:
        print_json([_mark_as_data(mark) for mark in marks])
    elif marks:
        print_lines((mark_as_line(mark), "") for mark in marks)
    else:
        complain("There are no marks.")


@feedback_app.command()
def show(
    question: Question,
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    label: Labels = None,
    as_json: AsJson = False,
) -> None:
    """Show what the marks say of notes for a question, and which marks say it."""
    from obsirag.components import open_feedback

    found = open_feedback(settle_config(vault, index, config)).preferences(question, labels=label or [])
    if as_json:
        print_json([_preference_as_data(each) for each in found])
    elif found:
        print_lines((_preference_as_line(each), "") for each in found)
    else:
        complain("No mark says anything for this question.")


@feedback_app.command()
def revoke(
    mark: Annotated[list[str], typer.Argument(help="The ids of marks.", metavar="ID...")],
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    label: Labels = None,
) -> None:
    """Remove marks: hits are as if they had never been made."""
    from obsirag.components import open_feedback

    feedback = open_feedback(settle_config(vault, index, config))
    for each in mark:
        feedback.revoke(each, labels=label or [])


def mark_as_line(mark: Mark) -> str:
    """Return a mark on one line."""
    about = ", ".join(mark.sources) or "the answer"
    words = f": {mark.words}" if mark.words else ""
    return one_line(f"{mark.id}  {mark.at:%Y-%m-%d}  {mark.kind:<13}  {about}{words}  ({mark.question})")


def _mark_as_data(mark: Mark) -> dict[str, Any]:
    return {
        "id": mark.id,
        "kind": mark.kind,
        "question": mark.question,
        "sources": [*mark.sources],
        "words": mark.words,
        "labels": [*mark.labels],
        "at": mark.at.isoformat(),
    }


def _preference_as_data(preference: Preference) -> dict[str, Any]:
    return {"source": preference.source, "share": preference.share, "marks": [*preference.marks]}


def _preference_as_line(preference: Preference) -> str:
    return one_line(f"{preference.share:+.2f}  {preference.source}  ({', '.join(preference.marks)})")
