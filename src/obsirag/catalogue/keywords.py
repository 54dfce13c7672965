"""Keyword search over the chunks' terms."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence

from langchain_core.documents import Document

from obsirag.catalogue.chunks import DOCUMENT_COLUMNS, to_document
from obsirag.catalogue.encoding import encode
from obsirag.text.tokens import query_terms

__all__ = ["keyword_hits", "match_expression"]

_MOST_TERMS = 64
"""A query has no more terms than this; a pasted page would match everything, slowly."""

_MOST_EXPANSIONS = 200

_MOST_MATCHES = 5000
"""The time of a search grows with the chunks that it has to score. Where a query's terms are held by more than these
together, the most common ones are left out: they cost the most, and weigh the least."""


def match_expression(connection: sqlite3.Connection, query: str) -> str | None:
    """Return the query as FTS5 wants it: any of its terms, each quoted, so that no sign of it means anything.

    The index holds Chinese in pairs of characters; a single one stands for all indexed pairs that hold it.

    Returns:
        None if there is nothing to search for.
    """
    terms: dict[str, None] = {}
    for term in query_terms(query)[:_MOST_TERMS]:
        terms[term] = None
        if len(term) == 1 and not term.isascii():
            terms.update(dict.fromkeys(_pairs_with(connection, term)))
    telling = [term for term in terms if term.strip("\"'\0")]
    rare = _without_common(connection, telling) if len(telling) > 1 else telling
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in rare) or None


def keyword_hits(
    connection: sqlite3.Connection,
    query: str,
    *,
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
        access: The access keys that the caller may read.
        everything: Whether these are all keys, so that the search itself need not look at them.
        weights: How much a term counts in title, headings and body.
        limit: Most chunks.
        sources: Only chunks of these notes; None for all.
        admits: Says of a chunk whether it is wanted; None if all are.

    Returns:
        Chunks and scores; the higher the better, always above zero. Equal ones are ordered by note and place.
    """
    expression = match_expression(connection, query)
    if expression is None or not access:
        return []
    found: list[tuple[Document, float]] = []
    # Equal scores are gathered to be ordered, but not without end. Without a bound SQLite sorts all matches.
    most = 4 * limit
    matches = _matches(
        connection, expression, [] if everything else access, weights, sources, most if admits is None else -1
    )
    for row_id, score in matches:
        if len(found) >= limit and (score < found[-1][1] or len(found) >= most):
            break
        document = _document(connection, row_id, access)
        if document is not None and (admits is None or admits(document)):
            found.append((document, score))
    found.sort(key=lambda hit: (-hit[1], str(hit[0].metadata.get("source")), hit[0].metadata.get("chunk_index") or 0))
    return found[:limit]


def _matches(
    connection: sqlite3.Connection,
    expression: str,
    access: Collection[str],
    weights: Sequence[float],
    sources: Collection[str] | None,
    most: int,
) -> Iterator[tuple[int, float]]:
    """Yield row and score of the ``most`` best matches, the best first; of all if ``most`` is negative."""
    # A join for each match would cost more than the search, so that the rows to leave out or to keep are listed once.
    conditions = ""
    parameters: list[object] = [*weights, expression]
    if access:
        conditions += (
            " AND terms.rowid NOT IN (SELECT id FROM chunks WHERE access NOT IN (SELECT value FROM json_each(?)))"
        )
        parameters.append(encode(list(access)))
    if sources is not None:
        conditions += (
            " AND terms.rowid IN (SELECT chunks.id FROM chunks JOIN notes ON notes.id = chunks.note_id"
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


def _document(connection: sqlite3.Connection, row_id: int, access: Collection[str]) -> Document | None:
    """Return a chunk, if it may be read: the last word on that, whatever the search let through."""
    columns = connection.execute(
        f"SELECT {DOCUMENT_COLUMNS} FROM chunks JOIN notes ON notes.id = chunks.note_id"  # noqa: S608 - own text only
        " WHERE chunks.id = ? AND chunks.access IN (SELECT value FROM json_each(?))",
        (row_id, encode(list(access))),
    ).fetchone()
    return None if columns is None else to_document(*columns)


def _without_common(connection: sqlite3.Connection, terms: Sequence[str]) -> list[str]:
    """Return the rarest terms, as many as are scored in good time, at least one."""
    kept: list[str] = []
    matches = 0
    for count, term in sorted((_chunks_with(connection, term), term) for term in terms):
        matches += count
        if kept and matches > _MOST_MATCHES:
            break
        kept.append(term)
    return kept


def _chunks_with(connection: sqlite3.Connection, term: str) -> int:
    row = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
    return 0 if row is None else int(row[0])


def _pairs_with(connection: sqlite3.Connection, character: str) -> list[str]:
    rows = connection.execute(
        "SELECT term FROM vocabulary WHERE instr(term, ?) AND length(term) = 2 ORDER BY doc DESC, term LIMIT ?",
        (character, _MOST_EXPANSIONS),
    )
    return [row[0] for row in rows]
