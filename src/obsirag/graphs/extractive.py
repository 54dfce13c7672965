"""The answer without a chat model: the passages that fit the question best, quoted as they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.graphs.citation_marks import without_marks
from obsirag.graphs.citations import cite
from obsirag.graphs.support import is_supported
from obsirag.graphs.terms import content_terms, credit, document_words, term_weights, words_of
from obsirag.graphs.units import Unit, units_of
from obsirag.graphs.visible_text import visible_line, visible_place
from obsirag.records import Citation
from obsirag.records.places import locate_quote

__all__ = ["Quotes", "quote_passages"]

MAX_QUOTES = 4
# A further quote is worth reading if it comes this near to the best one.
NEAR_BEST = 0.5
# What stands near a piece (its heading, its list) and around it (its chunk) speaks for it too, but less.
NEAR = 0.7
AROUND = 0.3
# Prose explains what code only shows, unless code is what was asked for.
CODE_UNASKED = 0.7
CODE_ASKED = 1.5
# How much the first passage is preferred to the last, for pieces with the same words.
RANK_PRIOR = 0.5
FEW_LINKS = 2
_BETWEEN = "\n\n"


class Quotes(NamedTuple):
    """Quoted passages.

    Args:
        text: The quotes as Markdown, each with its number; empty if no passage answers the question.
        citations: Their citations.
        documents: The passages that they were taken from.
    """

    text: str
    citations: list[Citation]
    documents: list[Document]


_LINK = re.compile(r"!?\[\[[^\[\]]*+\]\]|!?\[[^\[\]]*+\]\([^()\s]*+\)")
_WORD = re.compile(r"[^\W_]")
_CODE_WORDS = re.compile(
    r"\b(?:code|snippet|command|query|call|line|syntax|declar\w+|function|example|write|format|script|regex|show)\b|"
    r"代码|命令|声明|写法|语法|怎么写|函数|示例|例子|脚本|公式|配置",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    score: float
    document: Document
    unit: Unit


def quote_passages(
    question: str,
    evidence: Sequence[Document],
    rankings: Mapping[str, Sequence[Document]],
    *,
    vault: str,
) -> Quotes:
    """Return quotes with their citations; none where the passages don't answer the question.

    Args:
        question: What was asked, for a follow-up with what it refers to.
        evidence: The passages, best first.
        rankings: The hits of each search, with their scores.
        vault: The vault's name, for links.
    """
    terms = content_terms(question)
    hits = {id_of(each): each for ranking in rankings.values() for each in ranking}
    found = [document_words(each) for each in hits.values()]
    weights = term_weights(terms, found)
    candidates = _candidates(weights, evidence, asks_for_code=bool(_CODE_WORDS.search(question)))
    if not candidates or not is_supported(question, [document_words(each) for each in evidence], found):
        return Quotes("", [], [])
    quotes: list[str] = []
    citations: list[Citation] = []
    chosen_ones = _choose(candidates)
    for number, chosen in enumerate(chosen_ones, 1):
        unit = chosen.unit
        citation = cite(number, chosen.document, unit.block_start, unit.block_end, vault=vault)
        citations.append(citation)
        quotes.append(_format(citation, unit.header if unit.block_start == unit.start else ""))
    return Quotes(_joined(quotes), citations, [each.document for each in chosen_ones])


def id_of(document: Document) -> str:
    """Return what tells a chunk from others."""
    return str(document.metadata.get("chunk_id") or document.id or id(document))


def _only_points_elsewhere(text: str) -> bool:
    """Say whether a text is a link or two and nothing else: that answers nothing, as a list of links may."""
    bare, links = _LINK.subn(" ", text)
    return 0 < links <= FEW_LINKS and not _WORD.search(bare)


def _candidates(weights: Mapping[str, float], evidence: Sequence[Document], *, asks_for_code: bool) -> list[_Candidate]:
    candidates = []
    for rank, document in enumerate(evidence):
        around = document_words(document)
        prior = 1 + RANK_PRIOR * (1 - rank / len(evidence))
        for unit in units_of(document):
            if _only_points_elsewhere(document.page_content[unit.block_start : unit.block_end]):
                continue
            own = words_of(document.page_content[unit.start : unit.end])
            near = words_of(f"{unit.heading}\n{document.page_content[unit.block_start : unit.block_end]}")
            score = sum(
                weight * max(credit(term, own), NEAR * credit(term, near), AROUND * credit(term, around))
                for term, weight in weights.items()
            )
            fit = (CODE_ASKED if asks_for_code else CODE_UNASKED) if unit.is_code else 1.0
            candidates.append(_Candidate(score * prior * fit, document, unit))
    return sorted(candidates, key=lambda each: -each.score)


def _choose(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    texts: list[str] = []
    for each in candidates:
        if len(chosen) == MAX_QUOTES or each.score < NEAR_BEST * candidates[0].score:
            break
        candidate = _in_one_source(each)
        text = candidate.document.page_content[candidate.unit.block_start : candidate.unit.block_end]
        # Neighbouring chunks overlap, and notes embed one another.
        if not any(text in other for other in texts):
            chosen.append(candidate)
            texts.append(text)
    return chosen


def _in_one_source(candidate: _Candidate) -> _Candidate:
    """Return the candidate without what stands around it in its block, if that came from another note."""
    unit = candidate.unit
    ends = [(unit.block_start, unit.block_start + 1), (unit.block_end - 1, unit.block_end)]
    path = locate_quote(candidate.document, unit.start, unit.end).path
    if all(locate_quote(candidate.document, start, end).path == path for start, end in ends):
        return candidate
    alone = unit._replace(block_start=unit.start, block_end=unit.end)
    return _Candidate(candidate.score, candidate.document, alone)


def _format(citation: Citation, header: str) -> str:
    shown = f"{header}\n{citation['quote']}" if header else citation["quote"]
    place = visible_place(citation["title"], citation["headings"]) or visible_line(citation["source"])
    quoted = "\n".join(f"> {line}".rstrip() for line in shown.splitlines())
    return f"{quoted}\n\n— {place} [{citation['number']}]"


def _joined(quotes: Sequence[str]) -> str:
    """Return the quotes as one text, in which only the mark at the end of each is one."""
    text = _BETWEEN.join(quotes)
    own = {end - len(_BETWEEN) for end in accumulate(len(quote) + len(_BETWEEN) for quote in quotes)}
    return without_marks(text, but_ending_at=own)
