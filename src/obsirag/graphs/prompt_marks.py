"""What a model would take for the end of the data, or a part of the prompt or a chat template, in any spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from obsirag.graphs.visible_text import without_invisible

__all__ = ["harmless"]

# The names of opening tags that are common in code (`Array<Data>`) are marks in closing ones only.
_MARK = re.compile(
    r"[<‹〈⟨]\s*+(?="
    r"/\s*+(?:documents?|data|notes?|sources?|user|human|answers?|terms?|tools?|functions?|s)\b|"
    r"/?\s*+(?:passages?|context|conversation|question|system|assistant|instructions?|think(?:ing)?|"
    r"(?:start|begin|end)_of_\w+|(?:tool|function)_(?:calls?|uses?|responses?|results?|outputs?|code)|[be]os)\b|"
    r"\||<?\s*+/?\s*+SYS\b)|"
    r"(?P<square>\[)(?=\s*+/?\s*+(?-i:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_[A-Z]+)\s*+\])",
    re.IGNORECASE,
)
# What every mark begins with, in all its forms: most texts have none, and need not be looked at further.
_OPENING = re.compile("[<\\[\u2039\u2329\u27e8\u3008\ufe3f\ufe47\ufe64\uff1c\uff3b]")
# Unicode's "default ignorable" characters that may stand in honest text, such as behind an emoji.
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a]"
)


def harmless(text: str) -> str:
    """Return ``text`` so that nothing in it can be taken for a mark of the prompt; the rest of it stays as it is."""
    text = without_invisible(text)
    if not _OPENING.search(text):
        return text
    folded, origins = _folded(text)
    pieces: list[str] = []
    position = 0
    for match in _MARK.finditer(folded):
        pieces += (text[position : origins[match.start()]], "(" if match["square"] else "‹ ")
        position = origins[match.end()]
    return "".join([*pieces, text[position:]])


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text with one spelling for all forms of a letter, and where each of its characters comes from."""
    if text.isascii():
        return text, range(len(text) + 1)
    letters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(text):
        folded = "" if _IGNORABLE.match(character) else unicodedata.normalize("NFKC", character)
        letters.append(folded)
        origins += [index] * len(folded)
    return "".join(letters), [*origins, len(text)]
