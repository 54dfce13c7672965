"""What a node got, in a file of its own, so that the node can be run again on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from obsirag._version import installed_version
from obsirag.errors import ConfigError, TraceError, reason_of
from obsirag.graphs.tracing.files import read_json, write_json
from obsirag.graphs.tracing.plain_data import from_plain, to_plain
from obsirag.graphs.tracing.visits import NodeStart

__all__ = ["DUMP_KIND", "Dump", "Dumps", "read_dump"]

DUMP_KIND = "obsirag_dump"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """What a node got.

    Args:
        run: The run's name.
        step: The step's number.
        node: The node.
        state: The state as the run's caller may read it.
    """

    run: str
    step: int
    node: str
    state: dict[str, Any]


class Dumps:
    """Writes a file for each node, as it begins. They hold text of notes, and only their owner may read them.

    Args:
        folder: Where to; made if missing.

    Raises:
        ConfigError: If it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"`tracing.dumps`: {folder} cannot be made: {reason_of(error)}") from error

    def __call__(self, start: NodeStart) -> None:
        """Write what a node got."""
        node = re.sub(r"[^\w.-]", "_", start.node)
        file = self._folder / f"{start.run}-{start.step:04}-{start.number:04}-{node}.json"
        told = {
            DUMP_KIND: _VERSION,
            "obsirag": installed_version(),
            "run": start.run,
            "thread": start.thread,
            "step": start.step,
            "node": start.node,
            "version": start.version,
            "state": to_plain(start.state),
        }
        write_json(file, told)


def read_dump(file: Path) -> Dump:
    """Return what a node got, from the file that tells it.

    Raises:
        TraceError: If the file cannot be read, or is none of these.
    """
    told = read_json(file, DUMP_KIND, _VERSION, what="dump of what a node got")
    try:
        state = from_plain(told["state"])
        if not isinstance(state, dict):
            raise TypeError("no state")
        return Dump(run=str(told["run"]), step=int(told["step"]), node=str(told["node"]), state=state)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise TraceError(f"{file} is no dump of what a node got: its state cannot be read") from error
