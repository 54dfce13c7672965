"""A split report as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from obsirag.splitters.oversize import REASONS

if TYPE_CHECKING:
    from obsirag.splitters.distribution import LengthDistribution
    from obsirag.splitters.measuring import Limits, MeasuredChunk, OversizeChunk
    from obsirag.splitters.report import SplitReport

__all__ = ["MOST_LISTED", "report_lines"]

MOST_LISTED = 10
"""How many of each kind are listed; the report's fields hold them all."""

_BAR = 40  # characters of the longest bar
_EIGHTHS = " ▏▎▍▌▋▊▉"


def report_lines(report: SplitReport) -> Iterator[tuple[str, str]]:
    """Yield the lines of a report, each with its part: ``title``, ``text``, ``warning`` or ``error``.

    Args:
        report: The report.
    """
    yield f"{_counted(report.chunks, 'chunk')} of {_counted(report.notes, 'note')}", "title"
    for limits in report.limits:
        if (line := _limits_line(limits)) is not None:
            yield line, "text"
    for lengths in report.lengths:
        yield "", "text"
        yield from _length_lines(lengths)
    if report.longest is not None:
        yield "", "text"
        yield f"Longest  {_length(report.longest)}  {_place(report.longest)}", "text"
        yield f"Short    {report.short_chunks:,} under 100 characters ({report.short_share:.1%})", "text"
        yield f"Partial  {report.partial_chunks:,} begin or end inside a structure that was cut", "text"
    yield from _oversize_lines(report.oversize)
    yield from _list(
        f"{_counted(len(report.notes_without_chunks), 'note')} without chunks", report.notes_without_chunks
    )
    counts = Counter(finding.code for finding in report.warnings)
    told = ", ".join(f"{count} × {code}" for code, count in counts.most_common())
    yield from _list(f"Noticed: {told}", [str(finding) for finding in report.warnings])


def _limits_line(limits: Limits) -> str | None:
    sizes = (("chunk_size", limits.chunk_size), ("max_chunk_size", limits.max_chunk_size))
    told = ", ".join(f"{name} {size:,}" for name, size in sizes if size is not None)
    return f"Limits: {told} {limits.unit}" if told else None


def _length_lines(lengths: LengthDistribution) -> Iterator[tuple[str, str]]:
    yield f"Length in {lengths.unit}", "title"
    figures = (("min", lengths.minimum), ("median", lengths.median), ("90 %", lengths.p90), ("max", lengths.maximum))
    yield "  " + " · ".join(f"{name} {value:,}" for name, value in figures), "text"
    most = max(each.chunks for each in lengths.histogram)
    edges = len(f"{lengths.histogram[-1].end - 1:,}")
    numbers = len(f"{most:,}")
    for each in lengths.histogram:
        bar = _bar(each.chunks / most)
        yield f"  {each.start:>{edges},}–{each.end - 1:<{edges},} {each.chunks:>{numbers},} {bar}".rstrip(), "text"


def _bar(share: float) -> str:
    """Return a bar for a share of 0–1, in eighths of a character; none but 0 is without a mark."""
    eighths = max(round(share * _BAR * 8), 1) if share else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _oversize_lines(oversize: tuple[OversizeChunk, ...]) -> Iterator[tuple[str, str]]:
    """Yield the chunks that pass a limit, those past the hard one first, then the longest first."""
    for name, part in (("max_chunk_size", "error"), ("chunk_size", "warning")):
        passing = sorted((each for each in oversize if each.limit_name == name), key=lambda each: -each.chunk.length)
        entries = [
            f"{_length(each.chunk)}  {_place(each.chunk)}  {REASONS[each.reason]}"
            + (f" ({', '.join(each.structures)})" if each.structures else "")
            for each in passing
        ]
        yield from _list(f"{_counted(len(passing), 'chunk')} over {name}", entries, part)


def _list(title: str, entries: list[str] | tuple[str, ...], part: str = "warning") -> Iterator[tuple[str, str]]:
    if not entries:
        return
    yield "", "text"
    yield title, part
    for entry in entries[:MOST_LISTED]:
        yield f"  {entry}", "text"
    if len(entries) > MOST_LISTED:
        yield f"  … and {len(entries) - MOST_LISTED:,} more", "text"


def _length(chunk: MeasuredChunk) -> str:
    own = f"{chunk.characters:,} characters"
    return own if chunk.unit == "characters" else f"{chunk.length:,} {chunk.unit} ({own})"


def _place(chunk: MeasuredChunk) -> str:
    path = " > ".join(chunk.headings)
    place = f"{chunk.place} (chunk {chunk.chunk_index + 1})"
    return f"{place}  {path}" if path else place


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
