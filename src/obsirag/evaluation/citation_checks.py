"""Whether citations are what they claim to be, and whether they lead to the gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from obsirag.evaluation.hits import LineSpan, overlap
from obsirag.evaluation.note_files import NoteFiles
from obsirag.evaluation.questions import Question
from obsirag.graphs.visible_text import without_invisible
from obsirag.records import Citation

__all__ = ["citation_precision", "citation_recall", "is_valid", "is_web"]

_COMMENT = re.compile(r"%%.*?(?:%%|\Z)", re.DOTALL)
_BLOCK_ID = re.compile(r"(?:^|(?<=\s))\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_JSON_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_LINK = re.compile(r"\[\[")
_JSON_BLANKS = frozenset("nrtbf")


def is_valid(citation: Citation, notes: NoteFiles) -> bool:
    """Say whether a citation's quote stands, word for word, in the lines of the note that it names.

    Blanks and line ends may differ, and what rendering leaves out (comments, block ids) may be missing. Cards and
    arrows of a canvas that name files are shown as links, and quoted so. Of a page of
    the web only the address is checked: whether it is one, and the link is the same.

    Args:
        citation: The citation.
        notes: The notes as the vault has them; the index isn't asked.
    """
    if is_web(citation):
        return bool(urlsplit(citation["source"]).hostname) and citation["link"] == citation["source"]
    lines = notes.lines(citation["source"], citation["start_line"], citation["end_line"])
    quote = _squeezed(citation["quote"])
    if lines is None or not quote:
        return False
    text = "\n".join(lines)
    if citation["source"].endswith(".canvas"):
        text = _JSON_ESCAPE.sub(_unescaped, text)
        if _LINK.search(citation["quote"]) and quote in _squeezed(notes.shown(citation["source"])):
            return True
    return any(quote in _squeezed(each) for each in (text, _BLOCK_ID.sub("", _COMMENT.sub("", text))))


def is_web(citation: Citation) -> bool:
    """Say whether a citation leads to a page of the web."""
    return citation["source"].startswith(("http://", "https://"))


def citation_precision(question: Question, citations: Sequence[Citation]) -> float | None:
    """Return the share of the citations that hold a line of a gold span; None without gold or citations."""
    if not question.gold or not citations:
        return None
    gold = [each for span in question.gold for each in (span, *span.alt)]
    places = [*map(_place, citations)]
    return sum(any(overlap(place, span) for span in gold) for place in places) / len(places)


def citation_recall(question: Question, citations: Sequence[Citation]) -> float | None:
    """Return how far the citations hold what is needed: of ``any`` gold span a line, of ``all`` the share held.

    None for a question without gold.
    """
    if not question.gold:
        return None
    places = [*map(_place, citations)]
    held = [any(overlap(place, each) for each in (span, *span.alt) for place in places) for span in question.gold]
    return sum(held) / len(held) if question.needs == "all" else float(any(held))


def _place(citation: Citation) -> LineSpan:
    return LineSpan(citation["source"], citation["start_line"], citation["end_line"])


def _squeezed(text: str) -> str:
    return "".join(without_invisible(text).split())


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code in _JSON_BLANKS:
        return " "
    return chr(int(code[1:], 16)) if len(code) > 1 else code
