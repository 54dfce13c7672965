"""A record of a run, or what a node got, as something that can be compared."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from obsirag.graphs.tracing.dumps import DUMP_KIND, read_dump
from obsirag.graphs.tracing.record import Step, read_record, record_of
from obsirag.graphs.tracing.shape import RunRecord
from obsirag.graphs.tracing.visits import NodeEnd, NodeStart

__all__ = ["read_comparable", "record_of_update"]


def read_comparable(file: Path) -> RunRecord:
    """Return a record of a run from its file; of a dump, the record of a run that gave the dumped state in one step.

    Raises:
        TraceError: If the file cannot be read, or is neither.
    """
    is_dump = False
    with suppress(OSError, ValueError, RecursionError):
        is_dump = DUMP_KIND in json.loads(file.read_text(encoding="utf-8"))
    if not is_dump:
        return read_record(file)
    dump = read_dump(file)
    return record_of_update(dump.node, dump.step, dump.state)


def record_of_update(node: str, step: int, update: dict[str, Any]) -> RunRecord:
    """Return the record of a run in which one node gave an update."""
    start = NodeStart(run="", number=1, thread=None, step=step, node=node, version="", state={}, given={})
    return record_of([Step(start, 0.0, NodeEnd(seconds=0.0, given=update))], time=datetime.now(UTC))
