"""Where a note's text is no prose: code, maths, comments, link targets, tags, addresses, marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from obsirag.markdown import Block, LinkSpan, Span, comment_spans, find_block_ids, find_references, literal_spans
from obsirag.markdown.merging import merge_spans

__all__ = ["Untouchable"]

_MARKS = re.compile(
    r"<[A-Za-z/!][^<>\n]{0,1000}>"
    r"|\b[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>\"`|，。；！？、（）【】「」《》]+|www\.[^\s<>\"`|，。；！？、（）【】「」《》]+"
    r"|\[\^[^\[\]\s]{1,100}\]|\[![\w-]{1,50}\][+-]?|&#?\w{1,10};"
)
# An identifier, a path or an address, by what stands within it: `r.Fog`, `UObject`, `my_file`, `a/b`, `x86`, `--flag`.
_TOKEN = re.compile(r"[A-Za-z0-9_.:/\\@#$+&~%*=<>-]+")
_ENDS = ".:-*=~<>"
_FLAG = re.compile(r"--?[A-Za-z]")
_IDENTIFIER = re.compile(r"[0-9_/\\@#$+&%]|[a-z][A-Z]|[A-Z]{2}|[.:=~]\w")


class Untouchable:
    """The places of a text in which no word is a word of prose.

    Args:
        text: The text.
        blocks: Its blocks.
    """

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        links, tags = find_references(text, blocks)
        spans = [*literal_spans(text, blocks), *comment_spans(text, blocks)]
        spans += [span for link in links for span in _target_spans(text, link)]
        spans += [(tag.start, tag.end) for tag in tags]
        spans += [(each.marker_start, each.marker_end) for each in find_block_ids(text, blocks)]
        spans += [found.span() for found in _MARKS.finditer(text)]
        self._text = text
        self._spans: list[Span] = merge_spans(spans)
        self._starts = [start for start, _ in self._spans]

    def holds(self, start: int, end: int) -> bool:
        """Say whether ``text[start:end]`` touches one of these places, or is a part of an identifier."""
        index = bisect_right(self._starts, end - 1) - 1
        return (index >= 0 and self._spans[index][1] > start) or self._in_identifier(start, end)

    def prose(self, start: int, end: int) -> str:
        """Return ``text[start:end]`` without what lies in these places."""
        pieces = []
        index = max(0, bisect_right(self._starts, start) - 1)
        while index < len(self._spans) and self._spans[index][0] < end:
            begin, after = self._spans[index]
            pieces.append(self._text[start:begin])
            start = max(start, after)
            index += 1
        return "".join([*pieces, self._text[start:end]])

    def _in_identifier(self, start: int, end: int) -> bool:
        # Only as far as an identifier goes: a line may be long.
        begin = max(0, start - 100)
        for token in _TOKEN.finditer(self._text, begin, min(len(self._text), end + 100)):
            if token.start() < end and token.end() > start:
                return bool(_FLAG.match(token[0]) or _IDENTIFIER.search(token[0].strip(_ENDS)))
        return False


def _target_spans(text: str, link: LinkSpan) -> Iterator[Span]:
    """Yield what of a link isn't shown as prose: all of an embed, else all but its words."""
    if link.embed or not link.alias:
        yield link.start, link.end
        return
    shown = text.find("|", link.start, link.end) + 1 if link.wiki else link.start + 1
    yield link.start, shown
    yield (link.end - 2 if link.wiki else text.rfind("](", link.start, link.end)), link.end
