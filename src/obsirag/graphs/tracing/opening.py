"""The tracing that a configuration describes."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.config import TracingOptions
from obsirag.graphs.tracing.dumps import Dumps
from obsirag.graphs.tracing.frame import Tracing
from obsirag.graphs.tracing.spans import Spans
from obsirag.graphs.tracing.visits import Observer

__all__ = ["open_tracing"]


def open_tracing(options: TracingOptions, observers: Sequence[Observer] = ()) -> Tracing:
    """Return the tracing of a graph.

    Args:
        options: What the configuration says.
        observers: Further observers.

    Raises:
        ConfigError: If the folder for dumps cannot be made.
        MissingExtraError: If OpenTelemetry is wanted and isn't installed.
    """
    own: list[Observer] = []
    if options.opentelemetry:
        own.append(Spans())
    if options.dumps is not None:
        own.append(Dumps(options.dumps))
    return Tracing(options, [*own, *observers])
