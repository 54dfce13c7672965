"""Figures and tables as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["show_difference", "show_figure", "show_seconds", "to_markdown"]

_NONE = "–"


def show_figure(figure: float | None) -> str:
    """Return a share or a mean; a dash for one that no question has."""
    return _NONE if figure is None else f"{figure:.3f}"


def show_seconds(seconds: float | None) -> str:
    """Return a time in seconds."""
    return _NONE if seconds is None else f"{seconds:.3f}"


def show_difference(difference: float) -> str:
    """Return a difference of figures, with its sign."""
    return f"{difference:+.3f}"


def to_markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, the first column to the left, the others to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *([_cell(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
