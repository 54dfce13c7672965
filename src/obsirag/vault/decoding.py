"""From the bytes of a file to its text."""

from __future__ import annotations

import codecs

__all__ = ["decode", "storable"]

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes) -> str:
    """Return the text of ``data``, without its byte order mark and otherwise character for character.

    A byte order mark decides; without one it is UTF-8. Nothing is guessed: a wrong guess puts wrong words into an index
    without anyone noticing.

    Raises:
        UnicodeDecodeError: If ``data`` is not valid in its encoding, or holds a NUL.
    """
    mark, encoding = next((each for each in _MARKS if data.startswith(each[0])), (b"", "utf-8"))
    text = data[len(mark) :].decode(encoding)
    if "\0" in text:
        at = len(mark) + len(text[: text.index("\0")].encode(encoding))
        raise UnicodeDecodeError(encoding, data, at, at + 1, "a NUL, which no text has; or UTF-16 without its mark")
    return text


def storable(text: str) -> str:
    """Return a text that came from escapes (of JSON or YAML) as one that can be stored.

    Two escapes of UTF-16 that make one character become it; half a character becomes U+FFFD, and so does a NUL, which
    many stores refuse.
    """
    text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
