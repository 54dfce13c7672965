"""The names by which links find notes, brought to one form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote

from obsirag.records import Link

__all__ = ["name_of", "names_in_links"]


_BLANKS_AROUND_STEM = re.compile(r"\s+(?=\.[^.]*\Z|\Z)")


def name_of(target: str) -> str:
    """Return the last part of a path, a link's target or an alias, in a form that ignores case and Unicode's variants.

    Two texts that may mean the same note have the same name; two with the same name may still mean different notes.
    """
    name = target.replace("\\", "/").rstrip("/").rpartition("/")[2].strip()
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    while folded.endswith(".md"):  # `n.md` may mean the note `n.md.md`
        folded = folded.removesuffix(".md")
    return _BLANKS_AROUND_STEM.sub("", folded)


def names_in_links(links: Iterable[Link]) -> frozenset[str]:
    """Return the names that links use, those with ``%20`` both as written and decoded."""
    names = {name_of(text) for link in links for text in (link.target, unquote(link.target))}
    return frozenset(names - {""})
