"""Spans that overlap, made one."""

from __future__ import annotations

from obsirag.markdown.model import Span

__all__ = ["merge_spans"]


def merge_spans(spans: list[Span]) -> list[Span]:
    """Return ``spans`` sorted, those that overlap made one."""
    merged: list[Span] = []
    for begin, after in sorted(spans):
        if merged and begin < merged[-1][1]:
            if after > merged[-1][1]:
                merged[-1] = merged[-1][0], after
        else:
            merged.append((begin, after))
    return merged
