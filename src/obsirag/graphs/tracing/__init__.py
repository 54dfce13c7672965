"""Looking into a run of the question graph: log lines, spans, dumps of what nodes got, and records of whole runs."""

from obsirag.graphs.tracing.dumps import Dump, read_dump
from obsirag.graphs.tracing.frame import Tracing
from obsirag.graphs.tracing.opening import open_tracing
from obsirag.graphs.tracing.record import RunRecorder, read_record
from obsirag.graphs.tracing.summary import summary_of
from obsirag.graphs.tracing.visits import NodeEnd, NodeStart, Observer, version_of

__all__ = [
    "Dump",
    "NodeEnd",
    "NodeStart",
    "Observer",
    "RunRecorder",
    "Tracing",
    "open_tracing",
    "read_dump",
    "read_record",
    "summary_of",
    "version_of",
]
