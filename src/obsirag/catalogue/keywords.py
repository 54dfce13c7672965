"""Keyword search over the chunks' terms."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate

from langchain_core.documents import Document

from obsirag.catalogue.chunks import DOCUMENT_COLUMNS, to_document
from obsirag.catalogue.encoding import encode
from obsirag.catalogue.term_counts import TermCounts, quoted
from obsirag.text.characters import CJK
from obsirag.text.tokens import query_terms

__all__ = ["MOST_MATCHES", "keyword_hits", "match_expressions"]

_MOST_TERMS = 64
"""A query has no more terms than this; a pasted page would match everything, slowly."""

_MOST_PAIRS = 200
"""Nor do the pairs that stand for its single characters come to more than this."""

MOST_MATCHES = 5000
"""The time of a search grows with the chunks that it has to score. Where a query's terms are held by more than these
together, the most common ones are left out: they cost the most, and weigh the least. One of them
is searched for if the others find nothing that the caller wants and may read."""

_SINGLE = re.compile(f"[{CJK}]")


def match_expressions(connection: sqlite3.Connection, query: str, counts: TermCounts) -> Iterator[str]:
    """Yield the query as FTS5 wants it: any of its terms, each quoted, so that no sign of it means anything.

    The index holds Chinese in pairs of characters; a single one stands for all indexed pairs that hold it. First come
    the rarest terms, as many as are scored in good time; then the rarest of the others alone, for a caller to whom the
    first find nothing. Terms that no chunk has are left out.
    """
    terms = [term for term in query_terms(query)[:_MOST_TERMS] if term.strip("\"'\0")]
    found = {term: counts.count(connection, term) for term in terms}
    singles = [term for term in terms if _SINGLE.fullmatch(term)]
    for single in singles:
        found |= counts.pairs(connection, single, _MOST_PAIRS // len(singles))
    rarest = sorted((term for term in found if found[term]), key=lambda term: (found[term], term))
    reach = accumulate(found[term] for term in rarest)
    rare = [term for term, matches in zip(rarest, reach, strict=True) if matches <= counts.bound]
    if rare:
        yield " OR ".join(map(quoted, rare))
    if common := rarest[len(rare) :]:
        # Beyond the bound nothing was counted; among such terms the number in full decides.
        yield quoted(min(common, key=lambda term: (_all_chunks_with(connection, term), term)))


def keyword_hits(
    connection: sqlite3.Connection,
    query: str,
    *,
    counts: TermCounts,
    access: Collection[str],
    everything: bool,
    weights: Sequence[float],
    limit: int,
    sources: Collection[str] | None = None,
    admits: Callable[[Document], bool] | None = None,
) -> list[tuple[Document, float]]:
    """Return the chunks that hold a term of ``query``, the best first, with their BM25 score.

    Args:
        connection: A connection.
        query: Any text.
        counts: Counts terms up to ``MOST_MATCHES``.
        access: The access keys that the caller may read.
        everything: Whether these are all keys, so that the search itself need not look at them.
        weights: How much a term counts in title, headings and body.
        limit: Most chunks.
        sources: Only chunks of these notes; None for all.
        admits: Says of a chunk whether it is wanted; None if all are.

    Returns:
        Chunks and scores; the higher the better, always above zero. Equal ones are ordered by note and place.
    """
    if not access:
        return []
    allowed = None if everything else access
    most = 4 * limit if admits is None else -1
    for expression in match_expressions(connection, query, counts):
        matches = _matches(connection, expression, allowed, weights, sources, most)
        if found := _best(connection, matches, access, limit, admits):
            return found
    return []


def _best(
    connection: sqlite3.Connection,
    matches: Iterator[tuple[int, float]],
    access: Collection[str],
    limit: int,
    admits: Callable[[Document], bool] | None,
) -> list[tuple[Document, float]]:
    """Return the best of the matches that may be read and are wanted, with their scores."""
    found: list[tuple[Document, float]] = []
    # Equal scores are gathered to be ordered, but not without end. Without a bound SQLite sorts all matches.
    most = 4 * limit
    for batch in _batches(matches, limit, most):
        if len(found) >= limit and (batch[0][1] < found[-1][1] or len(found) >= most):
            break
        documents = _documents(connection, [row_id for row_id, _ in batch], access)
        for row_id, score in batch:
            document = documents.get(row_id)
            if document is not None and (admits is None or admits(document)):
                found.append((document, score))
    del found[most:]
    found.sort(key=lambda hit: (-hit[1], str(hit[0].metadata.get("source")), hit[0].metadata.get("chunk_index") or 0))
    return found[:limit]


def _matches(
    connection: sqlite3.Connection,
    expression: str,
    access: Collection[str] | None,
    weights: Sequence[float],
    sources: Collection[str] | None,
    most: int,
) -> Iterator[tuple[int, float]]:
    """Yield row and score of the ``most`` best matches, the best first; of all if ``most`` is negative."""
    # A join for each match would cost more than the search, so that the rows to leave out or to keep are listed once.
    # A plus before the row's number keeps SQLite from starting a search of its own for each of them.
    conditions = ""
    parameters: list[object] = [*weights, expression]
    if access is not None:
        conditions += (
            " AND +terms.rowid NOT IN (SELECT id FROM chunks WHERE access IN"
            " (SELECT key FROM access WHERE key NOT IN (SELECT value FROM json_each(?))))"
        )
        parameters.append(encode(list(access)))
    if sources is not None:
        conditions += (
            " AND +terms.rowid IN (SELECT chunks.id FROM chunks JOIN notes ON notes.id = chunks.note_id"
            " WHERE notes.path IN (SELECT value FROM json_each(?)))"
        )
        parameters.append(encode(sorted(sources)))
    rows = connection.execute(
        "SELECT bm25(terms, ?, ?, ?) AS cost, terms.rowid FROM terms"  # noqa: S608 - own text only
        f" WHERE terms MATCH ?{conditions} ORDER BY cost LIMIT ?",
        [*parameters, most],
    )
    for cost, row_id in rows:
        if cost >= 0:
            return
        yield row_id, -cost


def _batches(matches: Iterator[tuple[int, float]], size: int, most: int) -> Iterator[list[tuple[int, float]]]:
    """Yield matches, so many at a time, and those that score like the last of them along, up to ``most``."""
    batch: list[tuple[int, float]] = []
    for match in matches:
        if len(batch) >= size and (match[1] < batch[-1][1] or len(batch) >= most):
            yield batch
            batch = []
        batch.append(match)
    if batch:
        yield batch


def _documents(connection: sqlite3.Connection, rows: Sequence[int], access: Collection[str]) -> dict[int, Document]:
    """Return chunks that may be read, by row: the last word on that, whatever the search let through."""
    found = connection.execute(
        f"SELECT chunks.id, {DOCUMENT_COLUMNS} FROM chunks JOIN notes ON notes.id = chunks.note_id"  # noqa: S608 - own text only
        " WHERE chunks.id IN (SELECT value FROM json_each(?))"
        " AND +chunks.access IN (SELECT value FROM json_each(?))",
        (encode(rows), encode(list(access))),
    )
    return {row[0]: to_document(*row[1:]) for row in found}


def _all_chunks_with(connection: sqlite3.Connection, term: str) -> int:
    row = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
    return 0 if row is None else int(row[0])
