"""Pages of the web as documents of the same shape as chunks of notes."""

from __future__ import annotations

from hashlib import md5
from math import isfinite

from langchain_core.documents import Document

from obsirag.retrievers.web.addresses import host_of
from obsirag.retrievers.web.provider import WebHit
from obsirag.retrievers.web.texts import page_text, snippet_text, title_text

__all__ = ["document_of_hit", "with_page"]


def document_of_hit(hit: WebHit, url: str, *, limit: int) -> Document | None:
    """Return the document of a hit, with its snippet as text; None if nothing is left of that.

    Args:
        hit: The hit.
        url: Its address in its one spelling; the document's id is the MD5 of it.
        limit: Most characters.
    """
    text = snippet_text(hit.snippet, limit)
    if not text:
        return None
    name = md5(url.encode(), usedforsecurity=False).hexdigest()
    metadata = {
        "source": url,
        "title": title_text(hit.title or "") or host_of(url),
        "headings": [],
        "hierarchy_path": "",
        "start_line": 0,
        "end_line": 0,
        "chunk_id": name,
        "permissions": [],
        "web": True,
        "extracted": False,
        **_scores(hit.score),
    }
    return Document(id=name, page_content=text, metadata=metadata)


def with_page(document: Document, text: str, *, limit: int) -> Document:
    """Return a document with the text of its page, or the part of it around the snippet; itself if there is none.

    Args:
        document: The document of a hit.
        text: The page's text.
        limit: Most characters.
    """
    kept = page_text(text, limit, near=document.page_content)
    if not kept:
        return document
    return Document(id=document.id, page_content=kept, metadata={**document.metadata, "extracted": True})


def _scores(score: float | None) -> dict[str, float]:
    return {} if score is None or not isfinite(score) else {"score": float(score), "web_score": float(score)}
