"""Blocks that are told at a glance: nearly all, since mostly the lines' beginnings alone say where a block ends.

One pattern consumes a block and looks at the line behind it. It is sure of what it matches, and fails where only a
closer look would tell: where a line may go on with a paragraph lazily, say, or a block isn't closed.
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
_INTERRUPTS = rf"(?:{_HEADING_LINE}|>|{_FENCE_LINE}|{_ITEM_INTERRUPTS}|<!--)"
_PARAGRAPH_END = rf"(?<!\s)(?=[ \t]*+(?:\Z|\n(?:[ \t]*+(?:\n|\Z)| {{0,3}}+{_INTERRUPTS})))"
_PARAGRAPH = rf"[^\n]*+(?:\n(?!\n)(?:{_TEXT_LINE}|{_INDENTED_LINE})[^\n]*+)*+{_PARAGRAPH_END}"
_SHOWN = r"(?:[^\n]*[^\s])?+"
"""What stands behind a character in its line, the blanks at the line's end left out."""
_PARAGRAPH_BEFORE_BLANKS = rf"{_SHOWN}(?:[ \t]*+\n(?!\n)(?:{_TEXT_LINE}|{_INDENTED_LINE}){_SHOWN})*+{_PARAGRAPH_END}"
_UNUSUAL_START = (
    rf"{_TEXT_AFTER_ALL}|\[(?!\^)|-(?=[^\s\-])|[=:]|#{{1,6}}+(?=[^\s#])"
    rf"|<{_INLINE_TAGS}{ATTRIBUTES}[ \t]*+/?>[ \t]*+(?=[^\s])"
)


_SHOWN_OR_BLANK = r"(?<![^\S \t])"  # blanks at a line's end are taken along, and left out afterwards


def _container_end(width: int) -> str:
    """Return what matches before a line that surely lies outside a container whose lines are indented by ``width``."""
    indent = f" {{0,{width - 1}}}+"
    item = r"(?:[-*+]|[0-9]{1,9}+[.)])(?![^ \t\n])"
    return (
        rf"{_SHOWN_OR_BLANK}(?=(?:\Z|\n{indent}(?:{item}|{_HEADING_LINE}|>|{_FENCE_LINE}|---++{_END_OF_LINE}|{_FOOTNOTE})"
        rf"|\n[ \t]*+(?:\Z|\n\n*+(?:[ \t]++(?:\n++|\Z))*+(?:\Z|{indent}[^\s]))))"
    )


def _item(width: int) -> str:
    """Return what matches an item behind its mark, of ``width`` columns with the blanks behind it."""
    lines = rf"\n++(?:[ \t]++\n++)*+(?: {{{width}}}|\t)[ \t]*+[^\n]++"
    return rf"(?=[^\s])[^\n]*+(?:{lines})*+{_container_end(width)}"


_NO_RULE = r"(?![-*](?:[ \t]*+[-*])*+[ \t]*+(?:\n|\Z))"
_TICKS_CLOSING = rf"(?:(?<=\n)|(?<=\n )|(?<=\n  )|(?<=\n   ))```++{_END_OF_LINE}"
_LONGER_CLOSING = rf" {{0,3}}(?P=marks)(?P=mark)*+{_END_OF_LINE}"
_QUOTE = rf"[^\n]*+(?:\n {{0,3}}+>[^\n]*+)*+{_container_end(4)}"
_PLAIN = rf"[^\s{_SPECIAL}\[]"

# The likely ones first. Each pattern begins behind up to three blanks.
_KINDS = {
    "text": rf"{_PLAIN}{_PARAGRAPH}",
    "bullet": rf"(?<! )[-*+](?: {_NO_RULE}{_item(2)}| {{3}}{_NO_RULE}{_item(4)})",
    "heading": rf"#{{1,6}}+ ([^\s#](?:[^\n]*[^\s#])?){_END_OF_LINE}",
    "number": rf"(?<! )(?:[0-9][.)](?: {_item(3)}| {{2}}{_item(4)})|[0-9][0-9][.)] {_item(4)})",
    "fence": rf"```(?!`)[ \t]*+([^\s`]*+)[^`\n]*+(?=\n)(?:[^`]++|(?!{_TICKS_CLOSING})`++)*+{_TICKS_CLOSING}",
    "callout": rf">[ \t]*+\[!([^\]\n]++)\]{_QUOTE}",
    "quote": rf">(?![ \t]*+\[![^\]\n]++\]){_QUOTE}",
    "unusual_text": rf"(?:{_PLAIN}|{_UNUSUAL_START}){_PARAGRAPH_BEFORE_BLANKS}",
    "html": rf"</?{BLOCK_TAGS}(?=\s|/?>)[^\n]*+(?:\n[ \t]*+[^\s][^\n]*+)*+{_BEFORE_BLANK}",
    "html_comment": r"<!--(?!-?>)(?:[^-]++|-(?!->))*+-->(?:[^\n]*[^\s])?+(?![^ \t\n])",
    "rule": rf"(?:---++|\*\*\*++|___++){_END_OF_LINE}",
    # One paragraph throughout, some of whose lines lack their `>`.
    "lazy_quote": (
        rf">(?:[ \t]*+\[!(?P<type>[^\]\n]++)\]|[ \t]?{_PLAIN})[^\n]*+"
        rf"(?:\n(?: {{0,3}}+>[ \t]?+)?+[ \t]*+{_PLAIN}[^\n]*+)*+{_BEFORE_BLANK}"
    ),
    "lazy_item": (
        rf"(?<! )(?:[-*+]|1[.)]) (?:\[.\] )?+{_PLAIN}[^\n]*+(?:\n[ \t]*+{_PLAIN}[^\n]*+)++{_container_end(2)}"
    ),
    "footnote": rf"\[\^(?P<label>[^\]\s]++)\]:[ \t]*+{_item(4)}",
    "indented_item": (
        rf"(?<=\n )(?:[-*+] {_NO_RULE}{_item(3)}|[0-9][.)] {_item(4)})|(?<=\n  )[-*+] {_NO_RULE}{_item(4)}"
    ),
    "longer_fence": (
        rf"(?P<marks>(?P<mark>[`~])(?P=mark){{2,}}+)[ \t]*+(?P<language>[^\s`]*+)[^`\n]*+\n"
        rf"(?:(?!{_LONGER_CLOSING})[^\n]*+\n)*+{_LONGER_CLOSING}"
    ),
    "indented_code": r"(?<=   ) [ \t]*+[^\s][^\n]*+(?:\n++(?:[ \t]++\n++)*+(?: {4}| {0,3}\t)[ \t]*+[^\n]++)*+(?<!\s)",
    "table": rf"(?P<head>\|[^\n]*+)\n(?P<delimiter> {{0,3}}+[|:-][^\n]*+)(?:\n {{0,3}}+\|[^\n]*+)*+{_BEFORE_BLANK}",
}


_BLOCK = re.compile(
    f"{_BLANK_LINES} {{0,3}}+(?:{'|'.join(f'(?P<{kind}>{pattern})' for kind, pattern in _KINDS.items())})"
)
_TEXT, _BULLET, _HEADING, _FENCE, _NUMBER = (
    _BLOCK.groupindex[kind] for kind in ("text", "bullet", "heading", "fence", "number")
)
_TYPE = _BLOCK.groupindex["callout"] + 1
_WITHOUT_INFO = {
    _BLOCK.groupindex["unusual_text"]: "paragraph",
    _BLOCK.groupindex["html"]: "html",
    _BLOCK.groupindex["html_comment"]: "html",
    _BLOCK.groupindex["quote"]: "quote",
    _BLOCK.groupindex["rule"]: "rule",
}


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
        if text[end - 1] in " \t":
            end = start + len(text[start:end].rstrip(" \t"))
            if text[end - 1].isspace():  # another blank of Unicode, at which careful scanning would go on elsewhere
                break
        if kind == _TEXT:
            append(make(Block, ("paragraph", start, end, 0, "")))
        elif kind == _BULLET:
            append(make(Block, ("item", start, end, 0, text[start])))
        elif kind == _HEADING:
            title = found.start(kind + 1)
            append(make(Block, ("heading", start, end, title - start - 1, text[title:end])))
        elif kind == _FENCE:
            append(make(Block, ("fence", start, end, 0, found[kind + 1])))
        elif kind in _WITHOUT_INFO:
            append(make(Block, (_WITHOUT_INFO[kind], start, end, 0, "")))
        elif kind == _NUMBER:
            append(make(Block, ("item", start, end, 0, text[start : text.index(" ", start)])))
        else:
            block = _less_common(text, start, end, found)
            if block is None:
                break
            append(block)
        position = end
        if end > until:
            break
    return position


def _less_common(text: str, start: int, end: int, found: re.Match[str]) -> Block | None:
    """Return the block that was found; None if it is no table after all."""
    match found.lastgroup:
        case "callout":
            return Block("callout", start, end, 0, found[_TYPE].strip().lower())
        case "indented_item" | "lazy_item":
            return Block("item", start, end, 0, text[start : text.index(" ", start)])
        case "indented_code":
            return Block("indented_code", start - len("   "), end)
        case "longer_fence":
            return Block("fence", start, end, 0, found["language"])
        case "footnote":
            return Block("footnote", start, end, 0, found["label"])
        case "lazy_quote" if found["type"] is None:
            return Block("quote", start, end)
        case "lazy_quote":
            return Block("callout", start, end, 0, found["type"].strip().lower())
    head, delimiter = found["head"].rstrip(), found["delimiter"].strip()
    return Block("table", start, end) if DELIMITER_ROW.fullmatch(delimiter) and is_table_head(head, delimiter) else None
