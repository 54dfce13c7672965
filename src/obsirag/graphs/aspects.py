"""The aspects of a question: what of it is searched for and answered on its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document

from obsirag.graphs.asked import notes_query, web_query, with_terms
from obsirag.graphs.citation_marks import find_marks
from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.standalone import written_question
from obsirag.graphs.state import Aspect, RagState
from obsirag.graphs.support import atoms_of
from obsirag.graphs.terms import content_terms, words_of
from obsirag.retrievers.fusion import chunk_id_of
from obsirag.retrievers.grouping import source_of
from obsirag.text.sentences import sentence_ends

__all__ = [
    "ASPECTS",
    "aspect_of_ranking",
    "by_aspect",
    "has_aspects",
    "may_have_aspects",
    "number_of",
    "query_of",
    "ranking_name",
    "search_of_ranking",
    "split_by_rule",
    "united",
    "usable_aspects",
]

ASPECTS = "aspects"
"""The metadata field with the numbers of the aspects that a passage was found for; without it, for all."""

# A question of fewer content words is about one thing.
FEW_WORDS = 4
# An aspect that can be searched for alone has at least this many.
ENOUGH_WORDS = 3
# Together the aspects hold at least this share of the question's content words: what is left out would go unanswered.
KEPT_SHARE = 0.6

_JOINING = re.compile(
    r"[;；\n]|[和与跟及]|以及|还有|分别|各自|对比|比较|区别|差别|不同|"
    r"\b(?:and|or|vs\.?|versus|compared?|comparison|differences?|differ|between|respectively|each|both|as well as)\b",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[，,、]")
_ASKING = re.compile(r"谁|哪|怎|如何|多少|什么|几|吗|为何|\b(?:how|what|who|when|why|where|which)\b", re.IGNORECASE)
# "Who owns it, and when …", "谁负责甲，乙什么时候…": of the latter, what asks doesn't stand first.
_JOINED_QUESTION = re.compile(
    r"\s*[,;]\s*(?:and\s+|or\s+)?(?=(?:how|what|who|when|why|where|which)\b)|\s*[，；](?:以及|还有|另外|而)?",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\(?\d{1,2}[.)、）])\s+|^\s*\d{1,2}、")
_INTRODUCES = re.compile(r"[:：]\s*\Z")
_QUESTION_MARKS = re.compile(r"[?？]+")


def may_have_aspects(question: str) -> bool:
    """Say whether a question may be about several things; one that surely isn't needs no chat model to say so."""
    comma = _COMMA.search(question)
    is_joined = (
        len(_QUESTION_MARKS.findall(question)) > 1
        or bool(_JOINING.search(question))
        or (comma is not None and bool(_ASKING.search(question, comma.end())))
    )
    return is_joined and len(content_terms(question)) >= FEW_WORDS


def split_by_rule(question: str) -> list[Aspect]:
    """Return the questions that a question is made of as aspects, if there are several, and each stands alone.

    They are its sentences, the entries of a list, and what a comma joins where both sides ask something.
    """
    pieces = [piece for line in question.splitlines() for piece in _sentences(_LIST_MARK.sub("", line))]
    asked = [piece for piece in pieces if not _INTRODUCES.search(piece)]
    apart = [part for piece in asked for part in _clauses(piece)]
    if len(apart) < 2 or not all(_stands_alone(each) for each in apart):
        return []
    return [Aspect(text=each, keywords="") for each in apart]


def _sentences(line: str) -> list[str]:
    ends = sentence_ends(line)
    pieces = (line[start:end].strip() for start, end in zip([0, *ends], [*ends, len(line)], strict=True))
    return [piece for piece in pieces if piece]


def _clauses(sentence: str) -> list[str]:
    """Return the questions in a sentence, each with the sentence's mark; the sentence if they don't stand alone."""
    bare = sentence.rstrip("?？ ")
    parts = [part.strip() for part in _JOINED_QUESTION.split(bare)]
    clauses = [f"{part}{sentence[len(bare) :].strip()}" for part in parts]
    asks = all(_ASKING.search(clause) and _stands_alone(clause) for clause in clauses)
    return clauses if len(clauses) > 1 and asks else [sentence]


def _stands_alone(piece: str) -> bool:
    return piece[-1] in "?？" and len(content_terms(piece)) >= ENOUGH_WORDS and not refers_back(piece)


def usable_aspects(parts: Iterable[tuple[str, str]], question: str, most: int) -> list[Aspect]:
    """Return what a chat model took a question apart into, if it can be used; else none.

    Middling models answer the question, ask for what nobody asked, or leave half of it out.

    Args:
        parts: A question and keywords for each.
        question: The question, as it can be understood alone.
        most: Most aspects.
    """
    asked = words_of(question)
    aspects: dict[str, Aspect] = {}
    for text, keywords in parts:
        part = written_question(text)
        own = content_terms(part)
        names = [atom for atom in atoms_of(part) if atom.is_name]
        if not part or find_marks(part) or not asked.terms & set(own) or not all(atom.is_in(asked) for atom in names):
            return []
        aspects.setdefault(" ".join(own), Aspect(text=part, keywords=written_question(keywords)))
    terms = set(content_terms(question))
    kept = {term for aspect in aspects.values() for term in content_terms(aspect["text"])}
    if not 2 <= len(aspects) <= most or len(terms & kept) < KEPT_SHARE * len(terms):
        return []
    return [*aspects.values()]


def has_aspects(state: RagState) -> bool:
    """Say whether the question is searched for and answered part by part."""
    return len(state["aspects"]) > 1


def ranking_name(search: str, number: int) -> str:
    """Return the name under which a search's hits for one aspect stand in ``rankings``."""
    return f"{search}/{number}"


def search_of_ranking(name: str) -> str:
    """Return the name of the search that a ranking is from."""
    return name.partition("/")[0]


def aspect_of_ranking(name: str) -> int | None:
    """Return the number of the aspect that a ranking is for; None if it is for all."""
    number = name.partition("/")[2]
    return int(number) if number.isdecimal() else None


def number_of(state: Mapping[str, Any]) -> int | None:
    """Return the number of the aspect that a part of the state was sent for; None for the state itself."""
    return state.get("aspect")


def query_of(state: RagState, search: str) -> str:
    """Return what a search looks for: what is asked now, or one aspect of it.

    Args:
        state: The state, or the part of it that was sent for one aspect.
        search: The search's name. Keywords are for keyword search; the web gets an aspect only in words that persons
            used, for notes may have put in others.
    """
    number = number_of(state)
    aspect = None if number is None else state["aspects"][number - 1]
    if search == "web_search":
        asked = web_query(state)
        is_asked = aspect is not None and set(content_terms(aspect["text"])) <= words_of(asked).terms
        return aspect["text"] if aspect is not None and is_asked else asked
    if aspect is None:
        return notes_query(state)
    query = f"{aspect['text']} {aspect['keywords']}".strip() if search == "keyword_search" else aspect["text"]
    return with_terms(query, [term for term in state["terms"] if term["word"] in aspect["text"]])


def by_aspect(evidence: Sequence[Document], aspects: int) -> dict[int, list[Document]]:
    """Return the passages of each aspect, by its number.

    Args:
        evidence: The passages.
        aspects: How many aspects there are.
    """
    numbers = range(1, aspects + 1)
    return {number: [each for each in evidence if number in _aspects_of(each, numbers)] for number in numbers}


def _aspects_of(passage: Document, every: Sequence[int]) -> Sequence[int]:
    own = passage.metadata.get(ASPECTS)
    return own if isinstance(own, list) else every  # somebody's own search may call anything so


def united(passages: Mapping[int, Sequence[Document]]) -> list[Document]:
    """Return the passages of several aspects as one list, each once: the best document of each aspect, then the next.

    Args:
        passages: Each aspect's passages by its number, those of a document in a row.
    """
    numbers: dict[str, list[int]] = {}
    for number, documents in sorted(passages.items()):
        for each in documents:
            numbers.setdefault(chunk_id_of(each), []).append(number)
    queues = [_documents(documents) for _, documents in sorted(passages.items())]
    in_turn = [queue[turn] for turn in range(max(map(len, queues), default=0)) for queue in queues if turn < len(queue)]
    once = {chunk_id_of(each): each for group in in_turn for each in group}
    return [
        each.model_copy(update={"metadata": {**each.metadata, ASPECTS: numbers[name]}}) for name, each in once.items()
    ]


def _documents(passages: Sequence[Document]) -> list[list[Document]]:
    groups: dict[str, list[Document]] = {}
    for each in passages:
        groups.setdefault(source_of(each), []).append(each)
    return [*groups.values()]
