"""``obsirag draft-questions``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from obsirag.cli.eval_files import file_for, write_file
from obsirag.cli.printing import complain, print_exactly
from obsirag.cli.settle import ConfigFile, VaultArgument, folder, settle_config
from obsirag.components import open_vault

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from obsirag.config import RagConfig

__all__ = ["draft_questions"]


def draft_questions(
    vault: VaultArgument = None,
    config: ConfigFile = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Most questions.")] = 40,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write them to this .jsonl file.", parser=folder, metavar="FILE"),
    ] = None,
    rules_only: Annotated[
        bool, typer.Option("--rules-only", help="Leave them in the words of the notes, also with a chat model.")
    ] = False,
) -> None:
    """Draft questions whose answers stand in a vault, for you to correct and to measure with.

    The vault is read whole, whatever labels its notes carry. With a chat model in the configuration, it words them as
    people would.
    """
    from obsirag.evaluation import draft_questions as draft
    from obsirag.evaluation import questions_as_lines, reword

    file = file_for("--output", output, ".jsonl")
    if file is not None and file.exists():
        raise typer.BadParameter(f"{file} exists, and may hold your corrections: give another name for --output")
    settings = settle_config(vault, None, config, needs_index=False)
    questions = draft(open_vault(settings), count)
    model = None if rules_only else chat_model_of(settings)
    if model is not None:
        questions = list(reword(questions, model))
    text = questions_as_lines(questions)
    if file is None:
        print_exactly(text)
    else:
        write_file(file, lambda: text)
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(Counter(each.kind for each in questions).items()))
    complain(f"{len(questions)} questions to correct: {kinds or 'nothing in the vault can be asked for by rule'}")


def chat_model_of(settings: RagConfig) -> BaseChatModel | None:
    """Return the chat model of a configuration, if it has one."""
    from obsirag.components import build_components
    from obsirag.plugins import Kind

    kinds: tuple[Kind, ...] = ("chat_model",)
    return build_components(settings, kinds=kinds).chat_model
