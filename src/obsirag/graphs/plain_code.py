"""What of an answer is code for every renderer.

Renderers differ in what hides a backtick: formulas and comments for one, cells of a table or definitions of links for
another. Code that only some of them see is none here.
"""

from __future__ import annotations

import re
from itertools import pairwise

from obsirag.markdown import literal_spans

__all__ = ["mask_code"]

# A fence of backticks that is closed by as many, and of which the first line says no more than a language.
_FENCE = re.compile(r"(`{3,})[^`|<:/&\\\n]*\n(?:.*\n)?[ \t>]*\1", re.DOTALL)
_OPENING = re.compile(r"[ \t>*+\-\d.)]*")
_INLINE = re.compile(r"(`+)(?!`)[^|\n]*(?<!`)\1")
_NO_LINE_END = re.compile(r"[^\n]")
# For a renderer that knows neither formulas nor comments these signs are letters.
_SIGNS = str.maketrans("$%", "xx")


def mask_code(text: str) -> str:
    """Return ``text`` with a backtick for each character of its code, but for line ends.

    Code are fences, and code spans within one line, if every line closes what it opens.
    """
    if "`" not in text:
        return text
    spans = sorted(set(literal_spans(text)) & set(literal_spans(text.translate(_SIGNS))))
    fences = [span for span in spans if _FENCE.fullmatch(text, *span) and _opens_line(text, span[0])]
    inline = [span for span in spans if _INLINE.fullmatch(text, *span)]
    both = sorted({*fences, *inline})
    pieces = _pieces(text, both)
    around, inside = "".join(pieces[::2]), "".join(pieces[1::2])
    if "`" in around or ("$" in around and "$" in inside):
        pieces = _pieces(text, fences)
    pieces[1::2] = (_NO_LINE_END.sub("`", code) for code in pieces[1::2])
    return "".join(pieces)


def _opens_line(text: str, offset: int) -> bool:
    return bool(_OPENING.fullmatch(text, text.rfind("\n", 0, offset) + 1, offset))


def _pieces(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """Return a text in pieces: what stands before, in and between the spans, and behind the last."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]
