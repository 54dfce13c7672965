"""What of an answer in the making can be read already.

An answer is checked before it is shown; a slow model would leave its reader waiting for all of it. So it is checked
sentence by sentence: from the first sentence on whose citations lead somewhere, each is released as it ends. What was
read cannot be taken back: a bad mark after that is taken out, and no longer leads to another answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Lock
from uuid import uuid4

from obsirag.graphs.chat import LONGEST_ANSWER, LONGEST_THINKING, says_not_found, without_thinking
from obsirag.graphs.citation_check import CitationCheck
from obsirag.graphs.citation_marks import find_marks, says_something
from obsirag.text.sentences import sentence_ends

__all__ = ["Release"]

_CLINGS = re.compile(r"(?<!\n)[ \t]*(?:\\?\[|[【［]|```|~~~)")
_FENCE = re.compile(r"^[ \t]*(?:[-*+>] *)*(?:```|~~~)", re.MULTILINE)


class Release:
    """Takes an answer as it grows, and gives out what of it can be read.

    Args:
        check: Checks its citations.
        clean: What else is done to the text before it is read; it must do the same to a text as to its parts.
        opening: What is read before it, whatever it says.
    """

    def __init__(self, check: CitationCheck, clean: Callable[[str], str] = str, opening: str = "") -> None:
        self.message_id = f"answer-{uuid4()}"
        """The id of the message that the reader gets."""
        self.text = ""
        """What was released so far."""
        self.removed: list[int] = []
        """The numbers of marks that were taken out of it."""
        self._check = check
        self._clean = clean
        self._opening = opening
        self._taken = 0
        self._looked_at = 0
        self._is_full = False
        self._is_held = False
        self._is_stopped = False
        self._lock = Lock()

    def feed(self, raw: str) -> str:
        """Return what can be read of an answer that goes on; empty if that is nothing new.

        Args:
            raw: The answer from its beginning, as far as it has come.
        """
        text = without_thinking(raw)
        self._is_full = len(text) > LONGEST_ANSWER or len(raw) > LONGEST_ANSWER + LONGEST_THINKING
        text = text[:LONGEST_ANSWER]
        end = None
        # Nothing is looked at twice: whether a text can be cut somewhere is said by what stands before.
        for place in _ends(text, self._looked_at):
            self._looked_at = place
            end = place if _is_outside(text[:place]) else end
        return "" if end is None else self._release(text, end)

    def finish(self, raw: str) -> str:
        """Return what can be read of an answer that is complete, and was not read yet."""
        text = without_thinking(raw)[:LONGEST_ANSWER].rstrip()
        return self._release(text, len(text))

    @property
    def is_over(self) -> bool:
        """Whether nothing of what is still to come would be taken."""
        return self._is_full or self._is_stopped

    def stop(self) -> None:
        """Release nothing more: the answer was given up, though somebody may still be writing it."""
        with self._lock:
            self._is_stopped = True

    def _release(self, text: str, end: int) -> str:
        with self._lock:
            piece = text[self._taken : end]
            if self._is_held or self._is_stopped or not piece:
                return ""
            cleaned = self._check.put_right(self._clean(piece))
            if not self.text and not self._may_begin(piece, cleaned):
                return ""
            self._taken = end
            kept, removed = self._check.keep_good(cleaned)
            self.removed += [number for number in removed if number not in self.removed]
            if not self.text:
                kept = self._opening + kept
            self.text += kept
            return kept

    def _may_begin(self, piece: str, cleaned: str) -> bool:
        has_marks = bool(find_marks(cleaned))
        faults = self._check.faults(cleaned)
        if says_not_found(piece) or faults.unknown or faults.unbacked or (has_marks and not says_something(cleaned)):
            self._is_held = True
        return has_marks and not self._is_held


def _ends(text: str, start: int) -> list[int]:
    """Return the offsets after ``start`` at which a sentence ends, or a line, that more text follows."""
    line = text.rfind("\n") + 1
    last = len(text.rstrip())
    ends = [*([line] if line > start else []), *sentence_ends(text, max(start, line), len(text))]
    # A mark behind a full stop goes with the sentence before it; a fence there would begin in the piece cut off.
    return [end for end in ends if start < end < last and not _CLINGS.match(text, end)]


def _is_outside(text: str) -> bool:
    """Say whether a text that is cut behind this means the same: outside of code, maths and links."""
    if len(_FENCE.findall(text)) % 2 or text.count("$$") % 2:
        return False
    paragraph = text[text.rstrip("\n").rfind("\n\n") + 1 :]
    return paragraph.count("`") % 2 == 0 and paragraph.count("[") == paragraph.count("]")
