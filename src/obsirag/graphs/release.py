"""What of an answer in the making can be read already.

An answer is checked before it is shown; a slow model would leave its reader waiting for all of it. So it is checked
sentence by sentence: from the first sentence on whose citations lead somewhere, each is released as it ends. What was
read cannot be taken back: a bad mark after that is taken out, and no longer leads to another answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from threading import Lock
from uuid import uuid4

from obsirag.graphs.chat import LONGEST_ANSWER, says_not_found, without_thinking
from obsirag.graphs.citation_marks import find_marks, keep_marks
from obsirag.text.sentences import sentence_ends

__all__ = ["Release"]

_FENCE = re.compile(r"^[ \t]*(?:[-*+>] *)*(?:```|~~~)", re.MULTILINE)


class Release:
    """Takes an answer as it grows, and gives out what of it can be read.

    Args:
        known: The numbers of the passages.
        clean: What else is done to the text before it is read; it must do the same to a text as to its parts.
    """

    def __init__(self, known: Collection[int], clean: Callable[[str], str] = str) -> None:
        self.message_id = f"answer-{uuid4()}"
        """The id of the message that the reader gets."""
        self.text = ""
        """What was released so far."""
        self.removed: list[int] = []
        """The numbers of marks that were taken out of it."""
        self._known = known
        self._clean = clean
        self._taken = 0
        self._length = 0
        self._is_held = False
        self._lock = Lock()

    def feed(self, raw: str) -> str:
        """Return what can be read of an answer that goes on; empty if that is nothing new.

        Args:
            raw: The answer from its beginning, as far as it has come.
        """
        text = without_thinking(raw)[: LONGEST_ANSWER + 1]
        self._length = len(text)
        text = text[:LONGEST_ANSWER]
        return self._release(text, _last_end(text, self._taken))

    def finish(self, raw: str) -> str:
        """Return what can be read of an answer that is complete, and was not read yet."""
        text = without_thinking(raw)[:LONGEST_ANSWER].rstrip()
        return self._release(text, len(text))

    @property
    def is_full(self) -> bool:
        """Whether nothing of what is still to come would be taken."""
        return self._length > LONGEST_ANSWER

    def stop(self) -> None:
        """Release nothing more: the answer was given up, though somebody may still be writing it."""
        with self._lock:
            self._is_held = True

    def _release(self, text: str, end: int) -> str:
        with self._lock:
            piece = text[self._taken : end]
            if self._is_held or not piece or not (self.text or self._may_begin(piece)):
                return ""
            self._taken = end
            cleaned, removed = keep_marks(self._clean(piece), self._known)
            self.removed += [number for number in removed if number not in self.removed]
            self.text += cleaned
            return cleaned

    def _may_begin(self, piece: str) -> bool:
        numbers = {number for mark in find_marks(piece) for number in mark.numbers}
        bare = keep_marks(piece, ())[0]
        if says_not_found(piece) or not numbers <= set(self._known) or (numbers and not any(map(str.isalnum, bare))):
            self._is_held = True
        return bool(numbers) and not self._is_held


def _last_end(text: str, start: int) -> int:
    """Return the last offset after ``start`` at which a text can be cut in two that mean the same; ``start`` if none.

    That is behind a sentence or a line that more text follows, and outside of code, maths and links.
    """
    line = text.rfind("\n") + 1
    last = len(text.rstrip())
    for end in (*reversed(sentence_ends(text, max(start, line), len(text))), line):
        if start < end < last and _is_outside(text[:end]):
            return end
    return start


def _is_outside(text: str) -> bool:
    if len(_FENCE.findall(text)) % 2 or text.count("$$") % 2:
        return False
    paragraph = text[text.rstrip("\n").rfind("\n\n") + 1 :]
    return paragraph.count("`") % 2 == 0 and paragraph.count("[") == paragraph.count("]")
