"""The passages as a chat model gets them: numbered, in a data block that their text cannot close."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langchain_core.documents import Document

from obsirag.graphs.visible_text import hidden_spans, without_invisible
from obsirag.text.lengths import estimate_tokens

__all__ = ["format_passages", "harmless", "within_budget"]

# What a model would take for the end of the data, or for a part of the prompt or of a chat template, in any spelling.
# Opening tags that are common in code (`Array<Data>`) are left alone.
_PROMPT_MARK = re.compile(
    r"[<＜‹〈]\s*(?="
    r"[/／]\s*(?:passages?|context|documents?|conversation|question|data|notes?|sources?|system|user|human|assistant|"
    r"instructions?|s)\b|(?:passages?|context|conversation|question|system|assistant|instructions?)\b|[|｜]|"
    r"[<＜]?\s*[/／]?\s*SYS\b)",
    re.IGNORECASE,
)
_TEMPLATE_MARK = re.compile(r"\[(?=/?INST\])")


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


def harmless(text: str) -> str:
    """Return ``text`` so that nothing in it can be taken for a mark of the prompt."""
    text = without_invisible(text)
    return _TEMPLATE_MARK.sub("(", _PROMPT_MARK.sub("‹ ", text))


def _format(number: int, document: Document) -> str:
    metadata = document.metadata
    headings = [str(each) for each in metadata.get("headings") or ()]
    place = " › ".join(dict.fromkeys([str(metadata.get("title") or ""), *headings]))
    where = harmless(f"{metadata.get('source', '')} | {place}").replace('"', "'").replace("\n", " ")
    return f'<passage number="{number}" source="{where}">\n{harmless(_visible(document)).strip()}\n</passage>'


def _visible(document: Document) -> str:
    text = document.page_content
    pieces = []
    position = 0
    for start, end in hidden_spans(document):
        pieces.append(text[position:start])
        position = end
    return "".join([*pieces, text[position:]])
