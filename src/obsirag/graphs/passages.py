"""The passages as a chat model gets them: numbered, in a data block that their text cannot close."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.documents import Document

from obsirag.graphs.prompt_marks import harmless
from obsirag.graphs.visible_text import visible_line, visible_place, visible_text
from obsirag.text.lengths import estimate_tokens

__all__ = ["format_passages", "harmless", "within_budget"]


def within_budget(evidence: Sequence[Document], max_tokens: int) -> Sequence[Document]:
    """Return the first passages that take no more than ``max_tokens`` of a prompt, by estimate; one at least."""
    used = 0
    for index, document in enumerate(evidence):
        used += estimate_tokens(document.page_content)
        if used > max_tokens and index:
            return evidence[:index]
    return evidence


def format_passages(evidence: Sequence[Document]) -> str:
    """Return the data block: each passage with its number, from 1, and where it stands."""
    return "\n".join(["<passages>", *(_format(number, each) for number, each in enumerate(evidence, 1)), "</passages>"])


def _format(number: int, document: Document) -> str:
    metadata = document.metadata
    place = visible_place(str(metadata.get("title") or ""), metadata.get("headings") or ())
    where = harmless(f"{visible_line(str(metadata.get('source', '')))} | {place}").replace('"', "'")
    return f'<passage number="{number}" source="{where}">\n{harmless(visible_text(document)).strip()}\n</passage>'
