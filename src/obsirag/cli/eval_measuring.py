"""One configuration measured, as ``obsirag eval`` does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from obsirag.cli.index import progress_bar
from obsirag.cli.printing import complain
from obsirag.components import open_vault

if TYPE_CHECKING:
    from obsirag.cli.eval_page.shape import Failure
    from obsirag.config import RagConfig
    from obsirag.evaluation import Question, Report
    from obsirag.vault import Vault

__all__ = ["Measured", "measure"]

SHOWN = 10
"""How many questions a warning names; ``--json`` names them all."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a configuration.

    Args:
        report: Its report.
        missing_gold: The gold that its vault doesn't have, by the question's id.
        kept: What was kept of the questions that failed, by id.
    """

    report: Report[Any]
    missing_gold: Mapping[str, tuple[str, ...]]
    kept: Mapping[str, Failure] = field(default_factory=dict)


def measure(
    settings: RagConfig, asked: Sequence[Question], ranks: tuple[int, ...] | None, *, keeps_failures: bool = False
) -> Measured:
    """Return what came of a configuration; gold that its vault doesn't have is warned of.

    Args:
        settings: The configuration.
        asked: The questions.
        ranks: At which ranks retrieval is measured; None to measure the answers.
        keeps_failures: Whether what came of questions that failed is kept, for a page.
    """
    from obsirag.evaluation import find_missing_gold

    opened = open_vault(settings)
    missing = find_missing_gold(asked, opened.paths())
    if missing:
        named = [f"{name} ({', '.join(paths)})" for name, paths in [*missing.items()][:SHOWN]]
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        complain(
            f"Warning: {len(missing)} of {len(asked)} questions name notes that are not in the vault {opened.root}, "
            f"where nothing can be found: {', '.join(named)}{more}"
        )
    if ranks is None:
        report, kept = _answers(settings, asked, opened, keeps_failures=keeps_failures)
    else:
        report, kept = _retrieval(settings, asked, opened, ranks, keeps_failures=keeps_failures)
    return Measured(report, missing, kept)


def _answers(
    settings: RagConfig, asked: Sequence[Question], vault: Vault, *, keeps_failures: bool
) -> tuple[Report[Any], Mapping[str, Failure]]:
    from obsirag.cli.eval_page import AnswerFailures
    from obsirag.evaluation import evaluate_config_answers

    failures = AnswerFailures(vault) if keeps_failures else None
    observers = [failures.recorder] if failures else []
    with progress_bar() as progress:
        report = evaluate_config_answers(
            settings, asked, vault=vault, observers=observers, progress=progress, on_result=failures
        )
    return report, failures.kept if failures else {}


def _retrieval(
    settings: RagConfig, asked: Sequence[Question], vault: Vault, ranks: tuple[int, ...], *, keeps_failures: bool
) -> tuple[Report[Any], Mapping[str, Failure]]:
    from obsirag.cli.eval_page import RetrievalFailures
    from obsirag.components import open_retriever
    from obsirag.evaluation import evaluate_config

    retriever = open_retriever(settings) if keeps_failures else None
    failures = RetrievalFailures(retriever, vault, ranks) if retriever else None
    with progress_bar() as progress:
        report = evaluate_config(
            settings, asked, vault=vault, k=ranks, retriever=retriever, progress=progress, on_result=failures
        )
    return report, failures.kept if failures else {}
