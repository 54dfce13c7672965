"""Addresses in an answer that no passage holds.

An image is fetched as soon as an answer is shown, and a link with a click: a note that talks a model into writing one
could send what else the model read to whoever owns the address. What stands in code is shown and not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from langchain_core.documents import Document

from obsirag.markdown import literal_spans

__all__ = ["drop_unknown_links"]

_URL = r"[A-Za-z][A-Za-z0-9+.-]*://[^\s<>\"'()\[\]]+"
_LINK = re.compile(
    # A link or an image; the definition of one; an HTML tag with an address; an address alone.
    r"!?\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]*\](?!\())*)\]\(\s*<?(?P<target>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+[^()\n]*)?\)|"
    r"^[ \t]*\[[^\]\n]+\]:[ \t]*<?(?P<defined>\S+?)>?(?:[ \t].*)?$|"
    r"<[A-Za-z][^<>]*?(?:src|href|srcset|data|action|poster)\s*=\s*[\"']?(?P<attribute>[^\s\"'<>]*)[^<>]*>|"
    rf"<?(?P<bare>{_URL})>?",
    re.MULTILINE | re.IGNORECASE,
)
_SCHEME = re.compile(r"(?:data|javascript|vbscript|mailto|file):", re.IGNORECASE)
_END = ".,;:!?。，；：！？"


def drop_unknown_links(text: str, evidence: Iterable[Document]) -> str:
    """Return an answer without images and links whose address no passage holds; their words stay.

    Links inside the answer or the vault (``#heading``, ``note.md``) lead nowhere else, and stay.

    Args:
        text: The answer.
        evidence: The passages.
    """
    if not ("](" in text or "://" in text or "]:" in text or "=" in text):
        return text
    known = "\n".join(f"{each.metadata.get('source', '')}\n{each.page_content}" for each in evidence)
    literal = literal_spans(text)

    def replacement(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in literal):
            return match[0]
        bare = (match["bare"] or "").rstrip(_END)
        address = match["target"] or match["defined"] or match["attribute"] or bare
        if not address or not _leads_away(address) or address in known:
            return match[0]
        return (match["text"] or "") + (match["bare"] or "")[len(bare) :]

    return _LINK.sub(replacement, text)


def _leads_away(address: str) -> bool:
    return "://" in address or address.startswith(("//", "\\\\")) or bool(_SCHEME.match(address))
