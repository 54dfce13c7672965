"""A report as a graph's state holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from langgraph.channels import LastValue

from obsirag.records import Diagnostic, IndexReport

__all__ = ["ReportChannel", "report_as_data"]


class ReportChannel(LastValue[Any]):
    """Holds the last report as plain data, which every checkpointer can keep, and gives it as an ``IndexReport``."""

    def get(self) -> IndexReport:
        """Return the report."""
        return _report_of(super().get())


def report_as_data(report: IndexReport) -> dict[str, Any]:
    """Return a report as what the channel takes."""
    return asdict(report)


def _report_of(data: Mapping[str, Any]) -> IndexReport:
    values: dict[str, Any] = {
        name: tuple(each) if isinstance(each, list | tuple) else each for name, each in data.items()
    }
    for name in ("failed", "diagnostics"):
        values[name] = tuple(Diagnostic(**each) for each in data[name])
    values["renamed"] = tuple((old, new) for old, new in data["renamed"])
    return IndexReport(**values)
