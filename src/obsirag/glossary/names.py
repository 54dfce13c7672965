"""Names as people write them into glossaries: several in a cell, marked up, with a short form in brackets."""

from __future__ import annotations

import re

from obsirag.text.characters import CJK

__all__ = ["is_name", "names_in", "plain"]

LONGEST_NAME = 60
"""Characters; what is longer is a sentence."""

_SEPARATOR = re.compile(r"[,，、;；\n]|<br\s*/?>", re.IGNORECASE)
_WIKI_LINK = re.compile(r"!?\[\[([^\[\]\n]*)\]\]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_MARKS = re.compile(r"`+|\*{1,3}|==|~~|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)")
_BRACKETS = re.compile(r"(?P<name>[^（(]*[^\s（(])\s*[（(](?P<inside>[^（）()]*)[）)]")
_SHORT_FORM = re.compile(r"[A-Z][A-Za-z0-9.+-]{0,14}[A-Z0-9]")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9+-]*(?: [A-Za-z0-9+-]+){0,3}")
_CJK = re.compile(f"[{CJK}]")
_WORD = re.compile(r"\w")


def plain(text: str) -> str:
    """Return one line of Markdown as it is read: links as their words, without marks of bold, code and the like."""
    text = _WIKI_LINK.sub(lambda found: _shown(found[1]), text)
    text = _MARKDOWN_LINK.sub(lambda found: found[1], text)
    return _MARKS.sub("", text).replace("\\|", "|").strip()


def names_in(text: str) -> list[str]:
    """Return the names of a list of names, each without what stands in brackets behind it but for another name."""
    found = [name for piece in _SEPARATOR.split(plain(text)) for name in _with_short_form(piece)]
    return [name for name in dict.fromkeys(found) if is_name(name)]


def is_name(text: str) -> bool:
    """Say whether a text can be a name: it has a word, and isn't a sentence."""
    return bool(_WORD.search(text)) and len(text) <= LONGEST_NAME and not text.endswith(("。", "！", "？"))


def _shown(inside: str) -> str:
    target, bar, alias = inside.replace("\\|", "|").partition("|")
    return alias.strip() if bar else target.partition("#")[0].rpartition("/")[2].removesuffix(".md").strip()


def _with_short_form(text: str) -> list[str]:
    """Return a name, with another one in brackets behind it: a short form, or its Latin name of a Chinese one."""
    found = _BRACKETS.fullmatch(text.strip())
    if found is None:
        return [text.strip()]
    name, inside = found["name"], found["inside"].strip()
    is_other = _SHORT_FORM.fullmatch(inside) or (_CJK.search(name) and _LATIN.fullmatch(inside))
    return [name, inside] if is_other else [name]
