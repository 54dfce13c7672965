"""The text of a file that doesn't say how it is written down."""

from __future__ import annotations

import codecs
import re

from obsirag.errors import VaultError

__all__ = ["decoded"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,30})", re.IGNORECASE)
_LOOKED_AT = 100_000


def decoded(data: bytes, *, is_html: bool = False) -> str:
    """Return text: by its byte order mark, as UTF-8, as HTML declares it, else in GB 18030 or Windows-1252.

    Raises:
        VaultError: If it is no text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    if b"\0" in data:
        raise VaultError("this is no text file; is its name wrong?")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if is_html and (declared := _DECLARED.search(data[:4096])):
        try:
            return data.decode(declared[1].decode("ascii").lower().replace("gb2312", "gb18030"), errors="replace")
        except LookupError:
            pass
    from charset_normalizer import from_bytes

    # Of few bytes nobody can tell many encodings apart: of those that Excel writes, these are the most common.
    best = from_bytes(data[:_LOOKED_AT], cp_isolation=["gb18030", "cp1252"]).best()
    return data.decode(best.encoding if best else "cp1252", errors="replace")
