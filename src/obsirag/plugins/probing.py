"""Importing a plugin in a process of its own, to see what comes of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from obsirag.plugins.declared import distribution_of
from obsirag.plugins.looking import look_at
from obsirag.plugins.registry import Registry

__all__ = ["answer", "probe"]

# The path first: where this process found obsirag and the plugin, that one is to find them too.
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from obsirag.plugins.probing import answer; answer()"
)


def probe(entry_point: EntryPoint, time_limit: float) -> dict[str, Any]:
    """Return what can be told of a plugin, as fields of a ``PluginInfo``.

    Args:
        entry_point: The plugin.
        time_limit: Seconds that it may take.
    """
    wanted = [entry_point.name, entry_point.value, distribution_of(entry_point)]
    with tempfile.TemporaryDirectory(prefix="obsirag-") as folder:
        # A file rather than a pipe: what the plugin prints doesn't get in, nor does what it starts keep it open.
        file = Path(folder) / "answer.json"
        command = [sys.executable, "-c", _PROGRAM, json.dumps(sys.path), json.dumps(wanted), str(file)]
        ended = _run(command, time_limit)
        if ended is None:
            return {"state": "too slow", "cause": f"its import took more than {time_limit:g} seconds and was stopped"}
        try:
            found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {"state": "failed", "cause": f"its import ended the process, with exit code {ended}"}
    return {**found, "kinds": tuple(found.get("kinds", ()))}


def answer() -> None:
    """Do what ``probe`` asks for, in the other process."""
    wanted, file = json.loads(sys.argv[2]), Path(sys.argv[3])
    registry = Registry()
    for each in registry.declared:
        if [each.name, each.value, distribution_of(each)] == wanted:
            file.write_text(json.dumps(look_at(registry, each)), encoding="utf-8")
            break
    os._exit(0)  # without waiting for what the plugin may have started


def _run(command: list[str], time_limit: float) -> int | None:
    """Return how a program ended; None if it had to be stopped."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(  # noqa: S603 - this very Python
        command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
    )
    try:
        return process.wait(time_limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a process, and on systems that know such, what it started."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
