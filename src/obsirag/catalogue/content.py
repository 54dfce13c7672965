"""Names for contents."""

from __future__ import annotations

import hashlib

__all__ = ["content_hash", "digest"]


def content_hash(text: str) -> str:
    """Return the hash of a text, sha256 in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest(*parts: str) -> str:
    """Return a name of 32 characters for a sequence of texts; other parts have another name."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return content_hash(joined)[:32]
