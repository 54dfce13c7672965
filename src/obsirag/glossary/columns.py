"""What a column or a key of a glossary holds, by the words of its head."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import get_args

from obsirag.glossary.term import Field, Term, term_of

__all__ = ["field_of", "terms_of_rows"]

# Words of the head, Chinese and English; the first field with one of them counts: 同义词 is no 词.
_HEADS: Mapping[Field, str] = {
    "synonyms": r"同义|近义|俗称|俗语|别名|别称|又称|也叫|口头|口语|黑话|简称|缩写|叫法|说法"
    r"|synonym|alias|also|aka|colloquial|everyday|slang|abbreviation|nickname",
    "broader": r"上位|上级|父|属于|broader|parent|hypernym",
    "narrower": r"下位|下级|子类|包括|narrower|child|hyponym",
    "meaning": r"含义|释义|定义|解释|说明|意思|意义|义项|备注|描述|meaning|sense|definition|description|note|comment",
    "area": r"模块|领域|分类|类别|范畴|范围|area|module|domain|category|categories|field",
    "term": r"术语|名词|词条|正式|标准|规范|名称|词|term|name|concept|word",
}
# An English word is a whole one: `terminal` is no term. Neither `_` nor a Chinese character makes it longer.
_FIELDS: Mapping[Field, re.Pattern[str]] = {
    name: re.compile(re.sub(r"[a-z]+", r"(?<![a-z])\g<0>(?:e?s)?(?![a-z])", words), re.IGNORECASE)
    for name, words in _HEADS.items()
}


def field_of(head: str) -> Field | None:
    """Return what a column of this head holds; None if its words don't say."""
    return next((name for name, words in _FIELDS.items() if words.search(head)), None)


def terms_of_rows(head: Sequence[str], rows: Sequence[Sequence[str]], area: str = "") -> list[Term]:
    """Return the terms of a table.

    Where the head doesn't say which column holds the term, it is the first one that is left, and the synonyms stand
    in the next.

    Args:
        head: The head of each column.
        rows: The cells of each row.
        area: The area of terms for which the table states none.
    """
    fields = [field_of(each) for each in head]
    missing: list[Field] = [name for name in get_args(Field)[:2] if name not in fields]
    for index, field in enumerate(fields):
        if field is None and missing:
            fields[index] = missing.pop(0)
    terms: list[Term | None] = []
    for row in rows:
        cells: dict[Field, str] = {"area": area} if area else {}
        for field, cell in zip(fields, row, strict=False):
            if field is not None and cell.strip():
                known = cells.get(field, "") if field != "area" else ""
                cells[field] = f"{known}、{cell}" if known else cell
        terms.append(term_of(cells))
    return [term for term in terms if term is not None]
