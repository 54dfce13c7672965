"""Blocks that are told at a glance: nearly all, since mostly the lines' beginnings alone say where a block ends.

One pattern consumes a block and looks at the line behind it. It is sure of what it matches, and fails where only a closer
look would tell: where a line may go on with a paragraph lazily, a table has no delimiter row, a comment begins.
"""

from __future__ import annotations

import re

from obsirag.markdown.grammar import ATTRIBUTES, BLOCK_TAGS, DELIMITER_ROW, is_table_head
from obsirag.markdown.model import Block

__all__ = ["take_blocks"]

_END_OF_LINE = r"(?=[ \t]*+(?:\n|\Z))"
_BLANK_LINES = r"\n*+(?:[ \t\f\v]++\n++)*+"
_BEFORE_BLANK = r"(?<!\s)(?=[ \t]*+(?:\Z|\n[ \t]*+(?:\n|\Z)))"
_HEADING_LINE = r"#{1,6}+(?![^ \t\n])"
_FENCE_LINE = r"```++[^`\n]*+(?:\n|\Z)"

_FOOTNOTE = r"\[\^[^\]\s]++\]:"

# What may begin another block, so that a line of a paragraph that begins with it needs a second look, or a closer one.
_SPECIAL = r"#>`~|:$%<\-=*+_0-9"
_INLINE_TAGS = "(?:a|abbr|b|br|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)"
_TEXT_AFTER_ALL = (
    r"\*++(?=[^\s*])|`{1,2}+(?!`)|_++(?=[^\s_])|\$(?!\$)|[0-9]++(?=[^\s.)0-9])|<(?:(?=[^A-Za-z/!?])|https?:)"
)
_TEXT_LINE = rf"[ \t]*+(?:[^{_SPECIAL}\n]|{_TEXT_AFTER_ALL}|-(?=[^\s\-|:])|<{_INLINE_TAGS}(?=[\s/>]))"
_INDENTED_LINE = r"(?: {4}| {0,3}\t)[ \t]*+[^\n]"
_ITEM_INTERRUPTS = r"[-*+][ \t]++[^\s|]|1[.)][ \t]++[^\s]"
_PARAGRAPH_END = rf"(?<!\s)(?=[ \t]*+(?:\Z|\n(?:[ \t]*+(?:\n|\Z)| {{0,3}}+(?:{_HEADING_LINE}|>|{_FENCE_LINE}|{_ITEM_INTERRUPTS}|<!--))))"
_PARAGRAPH = rf"[^\n]*+(?:\n(?!\n)(?:{_TEXT_LINE}|{_INDENTED_LINE})[^\n]*+)*+{_PARAGRAPH_END}"
_SHOWN = r"(?:[^\n]*[^\s])?+"
"""What stands behind a character in its line, the blanks at the line's end left out."""
_PARAGRAPH_BEFORE_BLANKS = rf"{_SHOWN}(?:[ \t]*+\n(?!\n)(?:{_TEXT_LINE}|{_INDENTED_LINE}){_SHOWN})*+{_PARAGRAPH_END}"
_UNUSUAL_START = (
    rf"{_TEXT_AFTER_ALL}|\[(?!\^)|-(?=[^\s\-])|[=:]|#{{1,6}}+(?=[^\s#])"
    rf"|<{_INLINE_TAGS}{ATTRIBUTES}[ \t]*+/?>[ \t]*+(?=[^\s])"
)


def _container_end(width: int) -> str:
    """Return what matches before a line that surely lies outside a container whose lines are indented by ``width``."""
    indent = f" {{0,{width - 1}}}+"
    item = r"(?:[-*+]|[0-9]{1,9}+[.)])(?![^ \t\n])"
    return (
        rf"(?<!\s)(?=(?:\Z|\n{indent}(?:{item}|{_HEADING_LINE}|>|{_FENCE_LINE}|---++{_END_OF_LINE}|{_FOOTNOTE})"
        rf"|\n[ \t]*+(?:\Z|\n\n*+(?:[ \t]++(?:\n++|\Z))*+(?:\Z|{indent}[^\s]))))"
    )


def _item(width: int) -> str:
    """Return what matches an item behind its mark, of ``width`` columns with the blanks behind it."""
    lines = rf"\n++(?:[ \t]++\n++)*+(?: {{{width}}}|\t)[ \t]*+[^\n]++"
    return rf"(?=[^\s])[^\n]*+(?:{lines})*+{_container_end(width)}"


def _fence(mark: str) -> str:
    """Return what matches a fence of three or more marks, the language being the group behind that of the marks."""
    info = r"[^`\n]" if mark == "`" else r"[^\n]"
    name = "ticks" if mark == "`" else "tildes"
    closing = rf" {{0,3}}(?P={name}){mark}*+{_END_OF_LINE}"
    return rf"(?P<{name}>{mark}{{3,}}+)[ \t]*+([^\s`]*+){info}*+\n(?:(?!{closing})[^\n]*+\n)*+{closing}"


_NO_RULE = r"(?![-*](?:[ \t]*+[-*])*+[ \t]*+(?:\n|\Z))"
_CODE_CLOSING = rf"(?:(?<=\n)|(?<=\n )|(?<=\n  )|(?<=\n   ))```++{_END_OF_LINE}"
_CALLOUT_TYPE = r"[ \t]*+\[!([^\]\n]++)\]"
_PLAIN = rf"[^\s{_SPECIAL}\[]"

# The likely ones first. Each pattern begins behind up to three blanks.
_KINDS = {
    "text": rf"{_PLAIN}{_PARAGRAPH}",
    "bullet": rf"(?<! )[-*+](?: {_NO_RULE}{_item(2)}| {{3}}{_NO_RULE}{_item(4)})",
    "heading": rf"#{{1,6}}+ ([^\s#](?:[^\n]*[^\s#])?){_END_OF_LINE}",
    "number": rf"(?<! )(?:([0-9][.)])(?: {_item(3)}| {{2}}{_item(4)})|([0-9][0-9][.)]) {_item(4)})",
    "code": rf"```(?!`)[ \t]*+([^\s`]*+)[^`\n]*+(?=\n)(?:[^`]++|(?!{_CODE_CLOSING})`++)*+{_CODE_CLOSING}",
    "quote": rf">(?:{_CALLOUT_TYPE})?+[^\n]*+(?:\n {{0,3}}+>[^\n]*+)*+{_container_end(4)}",
    "unusual text": rf"(?:{_PLAIN}|{_UNUSUAL_START}){_PARAGRAPH_BEFORE_BLANKS}",
    "html": rf"</?{BLOCK_TAGS}(?=\s|/?>)[^\n]*+(?:\n[ \t]*+[^\s][^\n]*+)*+{_BEFORE_BLANK}",
    "html comment": r"<!--(?:[^-]++|-(?!->))*+-->(?:[^\n]*[^\s])?+(?![^ \t\n])",
    "rule": rf"(?:---++|\*\*\*++|___++){_END_OF_LINE}",
    # One paragraph throughout, some of whose lines lack their `>`.
    "lazy quote": rf">(?:{_CALLOUT_TYPE}|[ \t]?{_PLAIN})[^\n]*+(?:\n(?: {{0,3}}+>[ \t]?+)?+[ \t]*+{_PLAIN}[^\n]*+)*+{_BEFORE_BLANK}",
    "footnote": rf"\[\^([^\]\s]++)\]:[ \t]*+{_item(4)}",
    "indented item": (
        rf"(?<=\n )(?:[-*+] {_NO_RULE}{_item(3)}|[0-9][.)] {_item(4)})|(?<=\n  )[-*+] {_NO_RULE}{_item(4)}"
    ),
    "table": rf"(\|[^\n]*+)\n( {{0,3}}+[|:-][^\n]*+)(?:\n {{0,3}}+\|[^\n]*+)*+{_BEFORE_BLANK}",
    "longer fence": rf"{_fence('`')}|{_fence('~')}",
    "indented code": r"(?<=   ) [ \t]*+[^\s][^\n]*+(?:\n++(?:[ \t]++\n++)*+(?: {4}| {0,3}\t)[ \t]*+[^\n]++)*+(?<!\s)",
}


def _numbers() -> list[int]:
    """Return the number of each kind's group, the one around all of it."""
    numbers, following = [], 1
    for pattern in _KINDS.values():
        numbers.append(following)
        following += 1 + re.compile(pattern).groups
    return numbers


_BLOCK = re.compile(f"{_BLANK_LINES} {{0,3}}+(?:{'|'.join(f'({pattern})' for pattern in _KINDS.values())})")
(
    _TEXT,
    _BULLET,
    _HEADING,
    _NUMBER,
    _CODE,
    _QUOTE,
    _UNUSUAL,
    _HTML,
    _HTML_COMMENT,
    _RULE,
    _LAZY_QUOTE,
    _FOOTNOTE_DEFINITION,
    _INDENTED_ITEM,
    _TABLE,
    _FENCE,
    _INDENTED_CODE,
) = _numbers()


def take_blocks(text: str, position: int, until: int, blocks: list[Block]) -> int:
    """Append blocks to ``blocks`` as long as a glance tells them, and return the end of the last, else ``position``.

    Args:
        text: Text with LF line ends.
        position: Offset of the beginning of a line, or of the end of a block.
        until: The first block that reaches behind this offset is the last.
        blocks: The blocks so far.
    """
    # Most of a scan's time goes by here. A block is made by its type's own maker, which is thrice as fast.
    make, append = tuple.__new__, blocks.append
    for found in iter(_BLOCK.scanner(text, position).match, None):  # type: ignore[attr-defined]
        kind = found.lastindex
        start, end = found.span(kind)
        if kind == _TEXT:
            append(make(Block, ("paragraph", start, end, 0, "")))
        elif kind == _BULLET:
            append(make(Block, ("item", start, end, 0, text[start])))
        elif kind == _HEADING:
            title = found.start(kind + 1)
            append(make(Block, ("heading", start, end, title - start - 1, text[title:end])))
        elif kind == _UNUSUAL:
            append(make(Block, ("paragraph", start, end, 0, "")))
        elif kind == _CODE:
            append(make(Block, ("fence", start, end, 0, found[kind + 1])))
        elif kind == _NUMBER:
            append(make(Block, ("item", start, end, 0, found[kind + 1] or found[kind + 2])))
        elif kind == _QUOTE or kind == _LAZY_QUOTE:
            callout = found[kind + 1]
            if callout is None:
                append(make(Block, ("quote", start, end, 0, "")))
            else:
                append(make(Block, ("callout", start, end, 0, callout.strip().lower())))
        elif kind == _HTML or kind == _HTML_COMMENT:
            append(make(Block, ("html", start, end, 0, "")))
        elif kind == _RULE:
            append(make(Block, ("rule", start, end, 0, "")))
        elif kind == _FENCE:
            append(make(Block, ("fence", start, end, 0, found[kind + 2] or found[kind + 4] or "")))
        elif kind == _INDENTED_ITEM:
            append(make(Block, ("item", start, end, 0, text[start : text.index(" ", start)])))
        elif kind == _FOOTNOTE_DEFINITION:
            append(make(Block, ("footnote", start, end, 0, found[kind + 1])))
        elif kind == _INDENTED_CODE:
            start -= 3  # the line's first blanks
            append(make(Block, ("indented_code", start, end, 0, "")))
        else:
            delimiter = found[kind + 2].strip()
            if not DELIMITER_ROW.fullmatch(delimiter) or not is_table_head(found[kind + 1].rstrip(), delimiter):
                break
            append(make(Block, ("table", start, end, 0, "")))
        position = end
        if end > until:
            break
    return position
