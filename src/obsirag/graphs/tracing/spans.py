"""Each node as a span of OpenTelemetry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from obsirag.errors import MissingExtraError
from obsirag.graphs.tracing.log_lines import facts_of_end, facts_of_start
from obsirag.graphs.tracing.visits import NodeEnd, NodeStart

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

__all__ = ["Spans"]

_SCOPE = "obsirag.graphs"


class Spans:
    """Makes a span of each node, a child of the span that the run was started under.

    What the node calls finds it as the current span. Where spans go to is set up by the program; without that, nowhere.

    Args:
        provider: Makes the spans; the program's own, which may be set later, if None.

    Raises:
        MissingExtraError: If OpenTelemetry isn't installed.
    """

    def __init__(self, provider: TracerProvider | None = None) -> None:
        try:
            from opentelemetry import context, trace
        except ImportError as error:
            raise MissingExtraError("`tracing.opentelemetry`", "otel") from error
        self._context, self._trace = context, trace
        self._tracer = trace.get_tracer(_SCOPE, tracer_provider=provider)

    def __call__(self, start: NodeStart) -> Callable[[NodeEnd], None]:
        """Begin a node's span; return what ends it."""
        span = self._tracer.start_span(start.node, attributes=_attributes(facts_of_start(start)))
        token = self._context.attach(self._trace.set_span_in_context(span))

        def ended(end: NodeEnd) -> None:
            self._context.detach(token)
            span.set_attributes(_attributes(facts_of_end(end)))
            if end.error is not None and not end.is_paused:
                # Its message may quote a note.
                span.set_status(self._trace.StatusCode.ERROR, type(end.error).__name__)
            span.end()

        return ended


def _attributes(facts: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_flat("obsirag", facts))


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _flat(f"{name}.{key}", each)
    elif value is not None:
        yield name, value
