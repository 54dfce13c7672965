"""The terms of a glossary written in Markdown: tables, lists and definition lists under headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from obsirag.glossary.columns import terms_of_rows
from obsirag.glossary.names import is_name, names_in, plain
from obsirag.glossary.term import Term, term_of
from obsirag.markdown import Block, scan

__all__ = ["terms_in_markdown"]

_CELL = re.compile(r"(?<!\\)\|")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?(?P<text>.*\S)")
_ARROW = re.compile(r"(?P<synonyms>.*?\S)\s*(?:→|⇒|➜|➔|->|=>)\s*(?P<term>\S.*)")
_BOLD = re.compile(r"(?P<mark>\*\*|__)(?P<term>.+?)[:：]?(?P=mark)\s*(?:[:：=]|—+|–+|-(?=\s))?\s*(?P<rest>.*)")
_PLAIN = re.compile(r"(?P<term>[^:：—–]+?)\s*(?:[:：]|\s(?:—+|–+|-)\s|——)\s*(?P<rest>\S.*)")
_ALSO = re.compile(
    r"(?:also(?:\s+(?:known\s+as|called))?|a\.?k\.?a\.?|synonyms?|aliases|或?又称|也称|也叫|亦称|俗称|别名|同义词|简称|口语)"
    r"\s*[:：]?\s*(?P<names>[^。.!！?？\n]*)[。.]?\s*(?P<meaning>.*)",
    re.IGNORECASE,
)
_SENTENCE_END = ("。", ".", "!", "！", "?", "？")
_LONGEST_SYNONYM = 30
"""Characters; where no word says that synonyms follow, longer ones are taken for an explanation."""
_LONGEST_LINE = 2000
"""Characters; a longer line is no entry."""


def terms_in_markdown(text: str, area: str = "") -> list[Term]:
    """Return the terms of a glossary in order.

    - Tables: what a column holds is told by its head.
    - Lists: ``**Term**: synonym, synonym``, ``Term — also: synonym``, ``synonym → Term``.
    - Definition lists: a line with the term, and lines with a colon before them.

    The heading above says the area, but for the one with which the text begins, which is the title.

    Args:
        text: The Markdown, after its front matter.
        area: The area up to the first heading.
    """
    terms: list[Term] = []
    blocks = scan(text)
    for index, block in enumerate(blocks):
        inside = text[block.start : block.end]
        if block.kind == "heading":
            is_title = index == 0 and block.level == 1
            area = "" if is_title else plain(block.info)
        elif block.kind == "table":
            head, _, *rows = (_cells(line) for line in inside.splitlines())
            terms += terms_of_rows(head, rows, area)
        elif block.kind in ("item", "paragraph"):
            terms += (term for term in _stated(block, inside, area) if term is not None)
    return terms


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [cell.strip() for cell in _CELL.split(line)]


def _stated(block: Block, text: str, area: str) -> Iterator[Term | None]:
    lines = [line if len(line) <= _LONGEST_LINE else "" for line in text.splitlines()]
    if block.kind == "item":
        for line in lines:
            if found := _ITEM.fullmatch(line):
                yield _entry(found["text"], area)
        return
    term: str | None = None
    said: list[str] = []
    for line in [*lines, ""]:
        if line.lstrip().startswith((":", "：")) and term is not None:
            said.append(line.lstrip()[1:].strip())
            continue
        if said and term is not None:
            yield _explained(term, said, area)
        elif found := _ARROW.fullmatch(term or ""):
            yield term_of({"term": found["term"], "synonyms": found["synonyms"], "area": area})
        term, said = line.strip() or None, []


def _entry(text: str, area: str) -> Term | None:
    """Return the term of an item of a list; None if it isn't written as one."""
    if found := _ARROW.fullmatch(text):
        return term_of({"term": found["term"], "synonyms": found["synonyms"], "area": area})
    if found := _BOLD.fullmatch(text):
        return _explained(found["term"], [found["rest"]], area)
    found = _PLAIN.fullmatch(text)
    if found is not None and _ALSO.match(found["rest"]):
        return _explained(found["term"], [found["rest"]], area)
    return None


def _explained(term: str, said: list[str], area: str) -> Term | None:
    """Return a term with what is said of it: other names, or what it means."""
    synonyms: list[str] = []
    meanings: list[str] = []
    for text in said:
        if also := _ALSO.match(text):
            synonyms += names_in(also["names"])
            meanings.append(also["meaning"])
        elif names := _listed(text):
            synonyms += names
        else:
            meanings.append(text)
    meaning = " ".join(filter(None, map(plain, meanings)))
    return term_of({"term": term, "synonyms": synonyms, "meaning": meaning, "area": area})


def _listed(text: str) -> list[str]:
    """Return the names of a text that is nothing but a list of names."""
    names = names_in(text)
    is_list = not text.rstrip().endswith(_SENTENCE_END) and all(len(name) <= _LONGEST_SYNONYM for name in names)
    return [name for name in names if is_name(name)] if is_list else []
