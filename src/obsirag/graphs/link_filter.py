"""Addresses in an answer that no passage holds.

An image is fetched as soon as an answer is shown, and a link with a click: a note that talks a model into writing one
could send what else the model read to whoever owns the address. Renderers differ in what they take for a link, so that
whatever looks like an address is judged, wherever it stands, as one would read it: with its entities and escapes
undone. What stands in code is shown and not followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import unescape

from langchain_core.documents import Document

from obsirag.graphs.plain_code import mask_code

__all__ = ["drop_unknown_links"]

_MOST_ROUNDS = 6
_SIGN = re.compile(r"[<:/&\\]")
_SYNTAX = re.compile(r"[\[\]<>:/\\&]")
# A link or an image as models write them, of which the words can stay; the definition of one.
_LINK = re.compile(
    r"!?\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\](?!\())*+)\]\("
    r"\s*+<?(?P<target>[^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+)>?"
    r"(?:\s++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)|[^()\n]*+))?\s*+\)|"
    r"^[ \t]*+\[[^\]\n]+\]:\s*+<?(?P<defined>[^\s<>]+)>?(?:[ \t].*)?$",
    re.MULTILINE,
)
_ADDRESS = (
    r"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}://|(?<![\w:/\\])(?:\\?/){2}|(?<![\w.])www\.(?=\w)|"
    r"(?<![A-Za-z0-9+.-])(?:https?|ftp|wss?|javascript|vbscript|mailto|data):(?=[!-~]))"
    r"[^\s<>\"'`\[\]，。；：！？、]*"
)
# Where a link leads, whatever its words are.
_TARGET = re.compile(r"(?P<opening>\][(:]\s*+<?)(?P<target>[^\s()<>\[\]`]+)")
_PLACE = re.compile(
    # An address in angle brackets; a tag, or the beginning of one; an address alone.
    r"<(?P<auto>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+)>|"
    r"<(?P<tag>/?[A-Za-z](?:\"[^\"]*+\"|'[^']*+'|[^'\"<>])*+)>|"
    r"(?P<stray><(?=[A-Za-z/!?]))|"
    rf"(?P<bare>{_ADDRESS})",
    re.IGNORECASE,
)
_SOMEWHERE = re.compile(_ADDRESS, re.IGNORECASE)
_CODED = re.compile(r"(?<![^\s<>`])(?=[^\s<>`]*[&\\])[^\s<>`]+")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_CONTROLS = re.compile(r"[\x00-\x20]")
_AWAY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.|[/\\]{2}", re.DOTALL)
_LOADS = re.compile(r"(?:style|script)\b|[^=]*=.*[\"'/:&#\\]", re.IGNORECASE | re.DOTALL)
_PLAIN_TAG = re.compile(r"/?[\w\s,.*-]+/?")
# What may stand before the first word of a line.
_LEADING = re.compile(r"[\W\d_]*")
_END = ".,;:!?)}*_~|，。；：！？、）】」』》”’"


def drop_unknown_links(text: str, evidence: Iterable[Document]) -> str:
    """Return an answer without images and links whose address no passage holds; their words stay.

    Links inside the answer or the vault (``#heading``, ``note.md``) lead nowhere else, and stay. HTML tags with
    attributes go, whatever these say; tags at the beginning of a line, behind which nothing would be Markdown, are
    shown as text.

    Args:
        text: The answer.
        evidence: The passages.
    """
    if not _SIGN.search(text):
        return text
    passages = "\n".join(f"{each.metadata.get('source', '')}\n{each.page_content}" for each in evidence)
    known = f"{passages}\n{unescape(passages)}"
    for _ in range(_MOST_ROUNDS):
        # What is taken out may join what stood around it to another address.
        before = text
        for step in (_without_links, _without_targets, _without_places, _without_coded):
            text = step(text, known)
        if text == before:
            return text
    return _SYNTAX.sub(" ", text)


def _without_links(text: str, known: str) -> str:
    def replacement(match: re.Match[str]) -> str | None:
        if _may_stay(match["target"] or match["defined"] or "", known):
            return None
        return text[match.start("text") : match.end("text")] if match["text"] else ""

    return _replaced(_LINK, text, replacement)


def _without_targets(text: str, known: str) -> str:
    def replacement(match: re.Match[str]) -> str | None:
        return None if _may_stay(match["target"], known) else match["opening"]

    return _replaced(_TARGET, text, replacement)


def _without_places(text: str, known: str) -> str:
    def replacement(match: re.Match[str]) -> str | None:
        if match["auto"]:
            return None if _may_stay(match["auto"], known) else ""
        if match["bare"]:
            address = match["bare"].rstrip(_END)
            return None if _is_known(address, known) else match[0][len(address) :]
        tag = match["tag"] or ""
        if _LOADS.match(tag):
            return ""
        line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
        return None if _PLAIN_TAG.fullmatch(tag) and not _LEADING.fullmatch(line) else f"&lt;{match[0][1:]}"

    return _replaced(_PLACE, text, replacement)


def _without_coded(text: str, known: str) -> str:
    def replacement(match: re.Match[str]) -> str | None:
        found = _SOMEWHERE.findall(_read(match[0]))
        return None if all(_is_known(each.rstrip(_END), known) for each in found) else ""

    return _replaced(_CODED, text, replacement)


def _replaced(pattern: re.Pattern[str], text: str, replacement: Callable[[re.Match[str]], str | None]) -> str:
    """Return a text with what a pattern finds outside of code replaced, unless by None."""
    pieces: list[str] = []
    position = 0
    for match in pattern.finditer(mask_code(text)):
        replaced = replacement(match)
        if replaced is not None:
            pieces += (text[position : match.start()], replaced)
            position = match.end()
    return "".join([*pieces, text[position:]])


def _may_stay(address: str, known: str) -> bool:
    """Say whether an address, as it is written, leads nowhere else, or to where a passage does."""
    leads_away = any(map(_AWAY.match, (_CONTROLS.sub("", unescape(address)), _read(address))))
    return not leads_away or _is_known(address, known)


def _is_known(address: str, known: str) -> bool:
    return "`" not in address and (address in known or _read(address) in known)


def _read(written: str) -> str:
    """Return what is written as a renderer reads it."""
    return _CONTROLS.sub("", _ESCAPE.sub("", unescape(written)))
