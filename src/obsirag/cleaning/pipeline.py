"""The order of the cleaning steps, and how they are applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from obsirag.cleaning.characters import control_characters, full_width, line_ends, ocr_spaces, zero_width
from obsirag.cleaning.lines import blank_lines, trailing_spaces
from obsirag.cleaning.matching import marker_lines
from obsirag.cleaning.page_steps import headers_footers, page_breaks, watermarks
from obsirag.cleaning.removal import is_cut
from obsirag.cleaning.step import CleaningStep, LineStep, found_edits
from obsirag.cleaning.view import NoteView
from obsirag.config import CleaningOptions, HeaderFooterOptions, WatermarkOptions
from obsirag.records import Edit, RenderedNote

__all__ = ["clean", "cleaning_steps"]


def cleaning_steps(options: CleaningOptions, more_steps: Sequence[CleaningStep] = ()) -> list[CleaningStep | LineStep]:
    """Return the steps that ``options`` switch on, in their fixed order.

    Line ends come first, since the later steps work on lines; then what belongs to pages, while the form feeds that
    part them are there; then characters, so that a marker is found however it was written; then marked lines and the
    further steps; what tidies up comes last, since the others may leave blanks and blank lines.

    Args:
        options: Which steps run.
        more_steps: What takes the place of ``options.steps``, whose plugins are not known here.
    """
    paged = (
        options.headers_footers if isinstance(options.headers_footers, HeaderFooterOptions) else HeaderFooterOptions()
    )
    marked = options.watermarks if isinstance(options.watermarks, WatermarkOptions) else WatermarkOptions()
    steps: dict[str, Sequence[CleaningStep | LineStep]] = {
        "line_ends": [CleaningStep("line_ends", line_ends)],
        "headers_footers": [LineStep("headers_footers", headers_footers(paged, options.page_breaks))],
        "watermarks": [LineStep("watermarks", watermarks(marked, options.page_breaks))],
        "page_breaks": [LineStep("page_breaks", page_breaks(options.page_breaks))],
        "control_characters": [CleaningStep("control_characters", control_characters)],
        "zero_width": [CleaningStep("zero_width", zero_width)],
        "full_width": [CleaningStep("full_width", full_width)],
        "ocr_spaces": [CleaningStep("ocr_spaces", ocr_spaces)],
        "markers": [LineStep("markers", marker_lines(options.markers))],
        "steps": more_steps,
        "trailing_spaces": [CleaningStep("trailing_spaces", trailing_spaces)],
        "blank_lines": [CleaningStep("blank_lines", blank_lines)],
    }
    return [step for name, some in steps.items() if name == "steps" or getattr(options, name) for step in some]


def clean(
    rendered: RenderedNote, options: CleaningOptions | None = None, *, more_steps: Sequence[CleaningStep] = ()
) -> RenderedNote:
    """Return ``rendered`` cleaned; code and maths are never touched, and every character still knows its source.

    Args:
        rendered: The note.
        options: Which steps run; the defaults if None.
        more_steps: Further steps, run after the built-in ones that change characters and take out lines, and before
            those that tidy up blanks and blank lines.

    Raises:
        PluginError: If one of ``more_steps`` fails, or gives anything but edits of the text in order.
    """
    view = NoteView(rendered)
    for step in cleaning_steps(options or CleaningOptions(), more_steps):
        takes_lines = isinstance(step, LineStep)
        edits = list(step.find(view)) if isinstance(step, LineStep) else found_edits(step, view.text)
        if edits:
            edits = list(_outside_literals(edits, view, whole_lines=takes_lines))
        if edits:
            view = view.changed(edits, takes_lines=takes_lines)
    return view.rendered


def _outside_literals(edits: Iterable[Edit], view: NoteView, *, whole_lines: bool) -> Iterator[Edit]:
    """Yield the edits that touch no literal text.

    Args:
        edits: In order.
        view: The note that they change.
        whole_lines: Whether code within an edit may go with its line; code that goes on outside it never does.
    """
    literals = view.literals
    index = 0
    for edit in edits:
        while index < len(literals) and literals[index][1] <= edit.start:
            index += 1
        touched = index
        while touched < len(literals) and literals[touched][0] < edit.end:
            if not whole_lines or is_cut(edit, literals[touched], view.text):
                break
            touched += 1
        else:
            yield edit
