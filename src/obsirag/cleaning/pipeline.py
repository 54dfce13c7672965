"""The order of the cleaning steps, and how they are applied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile

from obsirag.cleaning.characters import control_characters, full_width, line_ends, ocr_spaces, zero_width
from obsirag.cleaning.lines import blank_lines, marker_lines, trailing_spaces
from obsirag.cleaning.step import CleaningStep
from obsirag.config import CleaningOptions
from obsirag.markdown import literal_spans
from obsirag.records import Edit, RenderedNote, apply_edits

__all__ = ["clean", "cleaning_steps"]


def cleaning_steps(options: CleaningOptions) -> list[CleaningStep]:
    """Return the steps that ``options`` switch on, in their fixed order.

    Line ends come first, since the later steps work on lines; then characters; then whole lines; blank lines last,
    since the others may leave some.

    Raises:
        ConfigError: If a marker is no regular expression.
    """
    steps = (
        CleaningStep("line_ends", line_ends),
        CleaningStep("control_characters", control_characters),
        CleaningStep("zero_width", zero_width),
        CleaningStep("full_width", full_width),
        CleaningStep("ocr_spaces", ocr_spaces),
        CleaningStep("markers", marker_lines(options.markers)),
        CleaningStep("trailing_spaces", trailing_spaces),
        CleaningStep("blank_lines", blank_lines),
    )
    return [step for step in steps if getattr(options, step.name)]


def clean(
    rendered: RenderedNote, options: CleaningOptions | None = None, *, more_steps: Sequence[CleaningStep] = ()
) -> RenderedNote:
    """Return ``rendered`` cleaned; code and maths are never touched, and every character still knows its source.

    Args:
        rendered: The note.
        options: Which steps run; the defaults if None.
        more_steps: Further steps, run after the built-in ones.

    Raises:
        ConfigError: If a marker is no regular expression.
    """
    for step in (*cleaning_steps(options or CleaningOptions()), *more_steps):
        rendered = _apply(rendered, step)
    return rendered


def _apply(rendered: RenderedNote, step: CleaningStep) -> RenderedNote:
    edits = list(step.find(rendered.text))
    if edits:
        edits = list(_outside_literals(edits, rendered, whole_lines=step.name == "markers"))
    if not edits:
        return rendered
    text, segments, embeds = apply_edits(rendered.text, rendered.segments, rendered.embeds, edits)
    return replace(rendered, text=text, segments=tuple(segments), embeds=tuple(embeds))


def _literals(rendered: RenderedNote) -> list[tuple[int, int]]:
    """Return the literal text; an embed is an island, so what is open in it means nothing outside, and vice versa."""
    borders = {0, len(rendered.text)}
    borders.update(border for embed in rendered.embeds if embed.is_block for border in (embed.start, embed.end))
    return [
        (start + low, start + high)
        for start, end in pairwise(sorted(borders))
        for low, high in literal_spans(rendered.text[start:end])
    ]


def _outside_literals(edits: Iterable[Edit], rendered: RenderedNote, *, whole_lines: bool) -> Iterable[Edit]:
    """Yield the edits that touch no literal text.

    Args:
        edits: In order.
        rendered: The note that they change.
        whole_lines: Whether code within an edit may go with its line; code that goes on outside it never does.
    """
    literals = _literals(rendered)
    index = 0
    for edit in edits:
        while index < len(literals) and literals[index][1] <= edit.start:
            index += 1
        touched = takewhile(lambda span: span[0] < edit.end, islice(literals, index, None))  # noqa: B023 - used at once
        if not any(not whole_lines or _is_cut(edit, *span, rendered.text) for span in touched):
            yield edit


def _is_cut(edit: Edit, start: int, end: int, text: str) -> bool:
    """Say whether literal text from ``start`` to ``end`` is more than a part of the line that ``edit`` removes."""
    return start < edit.start or end > edit.end or text[start:end].strip() == text[edit.start : edit.end].strip()
