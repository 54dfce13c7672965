"""What a cleaning step is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from obsirag.cleaning.view import NoteView
from obsirag.errors import PluginError, reason_of
from obsirag.records import Edit

__all__ = ["CleaningStep", "LineStep", "found_edits"]


@dataclass(frozen=True, slots=True)
class CleaningStep:
    """One small change of a text, as edits.

    Args:
        name: What it is called in the configuration.
        find: Gives the edits for a text, in order and without overlaps. Edits that touch literal text (code, maths) are
            left out afterwards, so a step need not know about it.
        origin: Who brought it, for messages; empty for a step that is built in or given in Python.
    """

    name: str
    find: Callable[[str], Iterable[Edit]]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class LineStep:
    """A built-in step that takes out whole lines, and looks at more than the text to find them.

    Args:
        name: What it is called in the configuration.
        find: Gives the edits for a note, in order and without overlaps. Code within a line goes with it; a line whose
            code goes on beyond it stays.
    """

    name: str
    find: Callable[[NoteView], Iterable[Edit]]


def found_edits(step: CleaningStep, text: str) -> list[Edit]:
    """Return what a step finds, checked: it may be a stranger's.

    Args:
        step: The step.
        text: What it is to look at.

    Raises:
        PluginError: If it fails, or gives anything but edits of ``text`` in order.
    """
    try:
        return list(_checked(step.find(text), len(text)))
    # The fault boundary around strangers' code: whatever it does is told under its name.
    except (Exception, SystemExit) as error:
        raise PluginError(
            f"the cleaning step {step.name!r}{f' of {step.origin}' if step.origin else ''} failed: "
            f"{reason_of(error)}. Repair it, or take it out of `cleaning.steps`"
        ) from error


class _BadEditError(PluginError):
    """What a step gave is no edit of its text."""


def _checked(edits: Iterable[Edit], length: int) -> Iterator[Edit]:
    cursor = 0
    for index, edit in enumerate(edits):
        if not (
            isinstance(edit, Edit)
            and type(edit.start) is int
            and type(edit.end) is int
            and isinstance(edit.replacement, str)
        ):
            raise _BadEditError(f"item {index} of what it found is not an Edit of whole numbers and text")
        if not 0 <= edit.start <= edit.end <= length:
            raise _BadEditError(f"its edit {edit.start}..{edit.end} is outside the text of {length} characters")
        if edit.start < cursor:
            raise _BadEditError(
                f"its edit {edit.start}..{edit.end} begins before the one before it ends ({cursor}); give edits in "
                f"order and without overlaps"
            )
        cursor = edit.end
        yield edit
