"""All that an evaluation has to tell, as Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from obsirag.evaluation.comparison import Comparison
from obsirag.evaluation.report import Report

__all__ = ["EvaluationSummary"]


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """One or two reports, what is between them, and whether the first one passed.

    Args:
        name: What the report is of, e.g. its configuration file.
        report: The report.
        against_name: What the other report is of.
        against: The report it is compared with, if there is one.
        comparison: The differences between the two.
        missing_gold: Gold paths that are not in the vault, by the question's id.
        faults: Why the report doesn't pass; see ``faults_of``.
    """

    name: str
    report: Report[Any]
    against_name: str = ""
    against: Report[Any] | None = None
    comparison: Comparison | None = None
    missing_gold: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return everything as a JSON object."""
        content: dict[str, Any] = {
            "passed": not self.faults,
            "faults": list(self.faults),
            "missing_gold": {name: list(paths) for name, paths in self.missing_gold.items()},
            "config": {"name": self.name} | self.report.as_dict(),
        }
        if self.against is not None:
            content["against"] = {"name": self.against_name} | self.against.as_dict()
        if self.comparison is not None:
            content["comparison"] = self.comparison.as_dict()
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"

    def to_markdown(self) -> str:
        """Return everything as Markdown, but for the results of single questions."""
        return "\n\n".join(self._paragraphs()) + "\n"

    def _paragraphs(self) -> Iterator[str]:
        yield f"# {self.report.title}"
        yield from _section(self.name, self.report)
        if self.against is not None:
            yield from _section(self.against_name, self.against)
        if self.comparison is not None:
            yield f"## `{_one_line(self.name)}` minus `{_one_line(self.against_name)}`"
            yield self.comparison.to_markdown().rstrip()
            yield (
                f"In brackets the {self.comparison.confidence:.0%} interval of a paired bootstrap with "
                f"{self.comparison.samples:,} samples; `*` where it leaves out 0. The number of questions follows the "
                "group's name."
            )
            yield from _ids(f"{self.report.success} only by the first", self.comparison.gained)
            yield from _ids(f"{self.report.success} only by the second", self.comparison.lost)
            yield from _ids("Asked of only one of the two, and left out", self.comparison.unpaired)
        if self.missing_gold:
            yield "## Gold that is not in the vault"
            yield "\n".join(f"- {name}: {', '.join(paths)}" for name, paths in self.missing_gold.items())
        yield "## Passed" if not self.faults else "## Not passed"
        if self.faults:
            yield "\n".join(f"- {fault}" for fault in self.faults)


def _section(name: str, report: Report[Any]) -> Iterator[str]:
    yield f"## `{_one_line(name)}`"
    yield report.to_markdown().rstrip()


def _ids(title: str, ids: tuple[str, ...]) -> Iterator[str]:
    if ids:
        yield f"{title}: {', '.join(ids)}."


def _one_line(name: str) -> str:
    return " ".join(name.split()).replace("`", "'")
